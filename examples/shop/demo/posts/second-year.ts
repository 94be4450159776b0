import type { Post } from '../post.js'

export const secondYear: readonly Post[] = [
  {
    image: 'story-left-hand',
    title: 'A shelf for left-handers',
    date: '2025-02-15T09:45:00',
    category: 'kitchen',
    palette: 'plum',
    weather: 'sun',
    excerpt: 'It is, naturally, on the left.',
    html: `<p>Scissors, secateurs, a tin opener, a ladle with the lip on the proper side, and a notebook that begins at the back. Tomáš has wanted this shelf since he was six.</p>
<p>Right-handers are welcome to try everything once. It is an education.</p>`,
  },
  {
    image: 'story-frog-crossing',
    title: 'Please brake for frogs',
    date: '2025-03-11T19:00:00',
    palette: 'moss',
    weather: 'rain',
    excerpt: 'The buckets go up at dusk; helpers meet at the shop.',
    html: `<p>They have crossed the mill road in the same week for longer than there has been a road. We have twelve torches, four reflective vests in children’s sizes, and a flask. What we need are people who do not mind being thanked by nobody.</p>
<p>Last spring’s count: 612 frogs, 40 newts, one hedgehog who had the wrong evening.</p>`,
  },
  {
    image: 'story-seed-swap',
    title: 'Seed swap: what was on the table',
    date: '2025-03-24T13:30:00',
    category: 'garden',
    palette: 'lime',
    weather: 'sun',
    excerpt: 'Forty-three envelopes came in and fifty went out. Nobody can explain it.',
    html: `<p>The best handwriting was on a packet of leeks, the best name on a bean called “Aunt Helga’s Revenge”, and the longest journey behind a pumpkin from Oaxaca that arrived in a sock.</p>
<ol><li>Write the year on it.</li><li>Say how tall it gets.</li><li>Admit it when you are not sure.</li></ol>`,
  },
  {
    image: 'story-moka',
    title: '“Nonna” versus the office machine',
    date: '2025-04-10T08:30:00',
    category: 'kitchen',
    palette: 'brick',
    weather: 'sun',
    excerpt: 'The town clerks held a blind tasting. The machine has asked for a transfer.',
    html: `<p>Twelve clerks, two coffees, numbered cups. The little aluminium pot won by nine to three, with one of the three explaining later that she had confused the numbers.</p>
<p>Cost of the machine: the same as 131 pots, or a pot for everyone who has ever worked at the hall, back to 1908.</p>`,
  },
  {
    image: 'story-shoebox',
    title: 'What we learned from a shoebox',
    date: '2025-05-03T10:10:00',
    palette: 'sand',
    weather: 'sun',
    excerpt: 'Eighty shopping lists, found on our floor over a year, read with respect.',
    html: `<p>Milk is on seventy-one of them. “Something nice” is on six. One says only “not again”, underlined. A list in green ink asks for batteries, a birthday card, and courage, in that order.</p>
<p>We return them all to the box. If one is yours, we did not recognise the hand.</p>`,
  },
  {
    image: 'story-chalk-square',
    title: 'Chalk Sunday on the square',
    date: '2025-06-08T17:20:00',
    category: 'paper-ink',
    palette: 'coral',
    weather: 'sun',
    excerpt: 'Two hundred and six drawings, one shower, no tears.',
    html: `<p>By noon there was no free stone between the fountain and the steps. There were dragons, a life-size bus, and a very long cat whose tail ended in front of the bank.</p>
<p>At twenty past four it began to rain. The children stood in the arcade and applauded.</p>`,
  },
  {
    image: 'story-postcard-eighth',
    title: 'The eighth postcard',
    date: '2025-08-21T09:55:00',
    category: 'paper-ink',
    palette: 'slate',
    weather: 'sun',
    excerpt: 'How a missed bus became our best-selling view.',
    html: `<p>The photographer had come for the bridge. She had an hour left, then a minute, then she was standing at the stop watching two red lights go round the bend beneath an evening sky like peach skin.</p>
<p>She took one picture “out of spite”. It outsells the bridge five to one.</p>`,
  },
  {
    image: 'story-sunflower-final',
    title: 'Three metres ninety-one',
    date: '2025-09-02T18:45:00',
    category: 'garden',
    palette: 'honey',
    weather: 'sun',
    excerpt: 'The record has fallen. So, shortly after the measuring, has the sunflower.',
    html: `<p>Congratulations to Ines (8), who credits rabbit manure and “talking to it about space”. The fire brigade confirmed the height from the short ladder, at which moment the wind got up.</p>
<p>She has chosen the poppy-seed cake. The seeds will be in the packets next spring, descended from a champion.</p>`,
  },
  {
    image: 'story-power-cut',
    title: 'Open by candlelight',
    date: '2025-10-04T21:00:00',
    palette: 'night',
    weather: 'night',
    excerpt: 'On Thursday the whole valley went dark. The till has a crank.',
    html: `<p>A lorry met a mast at quarter past five. By half past we had lit four storm lanterns, found the crank, and remembered what the ledger is for. People came in for candles and stayed because it was the brightest room in the street.</p>
<p>When the lights came back at nine there was a short, disappointed sigh.</p>`,
  },
  {
    image: 'story-returns',
    title: 'Things people have brought back',
    date: '2025-10-23T11:35:00',
    palette: 'brick',
    weather: 'rain',
    excerpt: 'A generous policy, and its limits.',
    html: `<p>We take back whatever does not work, does not fit, or turned out to be the wrong blue. This year that included half a cheese (“too good, I must stop”), a teapot with tea in it, and a bird feeder because of a squirrel.</p>
<p>The squirrel has been shown the terms and conditions.</p>`,
  },
  {
    image: 'story-crane-thousand',
    title: 'A thousand cranes, minus one',
    date: '2025-11-16T16:25:00',
    category: 'paper-ink',
    palette: 'sky',
    weather: 'rain',
    excerpt: 'They hang over the counter. The last one is yours to fold.',
    html: `<p>It began as something to do on wet Wednesdays. Nine hundred and ninety-nine later the ceiling rustles whenever the door opens. Yuki keeps the final sheet in the drawer: she says that a wish should be finished by the one who has it.</p>
<p>Ask at the counter. She will know whether it is time. 🕊️</p>`,
  },
  {
    image: 'story-marmalade-wedding',
    title: 'Twenty-four jars of a wedding',
    date: '2025-12-14T10:30:00',
    category: 'pantry',
    palette: 'honey',
    weather: 'snow',
    excerpt: 'Two mothers, one copper pan, no common language.',
    html: `<p>They met for the first time over a crate of fruit. One pointed at the sugar, the other shook her head; one tasted, the other nodded; by midnight they had both got their way, which is how you recognise a good marmalade.</p>
<p>The couple are well. The jars, as of today, are nineteen.</p>`,
  },
  {
    image: 'story-quiet-hour',
    title: 'The quiet hour stays',
    date: '2026-01-20T08:15:00',
    palette: 'sand',
    weather: 'snow',
    excerpt: 'Tuesdays from two to three: no radio, low lights, nobody asks whether you need help.',
    html: `<p>It was a trial for people to whom shops are too loud. They came, and with them came the tired, the recently sad, two novelists, and a man who wanted to look at screws in peace.</p>
<p>The bell above the door wears a sock during that hour. The sock was Agnes’s idea.</p>`,
  },
  {
    image: 'story-rhubarb-diary',
    title: 'Rhubarb vinegar: a diary (unfinished)',
    date: '2026-02-22T19:10:00',
    status: 'draft',
    category: 'pantry',
    palette: 'coral',
    weather: 'rain',
    excerpt: 'Day one: pink. Day nine: ominous.',
    html: `<p>Day one. Pink. Day four. Still pink, and humming. Day nine. The lid of the second crock was found behind the flour.</p>
<p>TK: what does the first crock taste of, who mops?</p>`,
  },
  {
    image: 'story-new-neighbour',
    title: 'To whoever moves in at number twelve',
    date: '2026-03-06T09:20:00',
    palette: 'moss',
    weather: 'sun',
    excerpt: 'A few things that are not in the lease.',
    html: `<p>The third stair creaks and is meant to. The pear tree belongs to the house, its pears to the street. On Thursdays the cheese van blocks your gate for twenty minutes; in return you get the rind ends.</p>
<p>We open at seven. The first loaf is on us.</p>`,
  },
]
