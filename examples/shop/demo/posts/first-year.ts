import type { Post } from '../post.js'

export const firstYear: readonly Post[] = [
  {
    image: 'story-door-open',
    title: 'The door is open again',
    date: '2024-03-02T08:00:00',
    palette: 'honey',
    weather: 'sun',
    excerpt: 'Eleven weeks behind brown paper, one new floor, and the same old bell.',
    html: `<p>We took the paper off the windows at seven this morning, and by five past there was a queue. The floor is new, the shelves are straight for the first time since the war, and the bell over the door is still the one that everybody complains about.</p>
<p>Thank you for shopping out of a garage all winter. The coffee is on the house until it is gone.</p>`,
  },
  {
    image: 'story-agnes',
    title: 'Who is Agnes?',
    date: '2024-03-20T17:40:00',
    palette: 'plum',
    weather: 'sun',
    excerpt: 'A short introduction, since she will not write one.',
    html: `<p>If you have ever been asked whether you <em>really</em> need a second one, you have met Agnes. She has run this shop for thirty-four years, knows the shoe size of half the town, and believes that a receipt is a kind of letter.</p>
<p>Her first words on hearing that there would be a web site: “And who sweeps it?”</p>`,
  },
  {
    image: 'story-sourdough-faq',
    title: 'Five questions about the Sunday loaf',
    date: '2024-04-13T09:30:00',
    category: 'pantry',
    palette: 'sand',
    weather: 'sun',
    excerpt: 'How long, how dark, how to slice: the baker answers.',
    html: `<p>We carried your questions next door and wrote down what came back between two ovens.</p>
<ul><li><strong>Does it freeze?</strong> Sliced, yes. Whole, why would it live that long?</li><li><strong>Why the dark crust?</strong> “That is not dark. That is done.”</li><li><strong>Which side up?</strong> Cut side down, on wood.</li><li><strong>Is there a smaller one?</strong> Half of it.</li><li><strong>The name?</strong> His sister’s idea. He bakes on Saturdays and has stopped explaining.</li></ul>`,
  },
  {
    image: 'story-knife-day',
    title: 'Knife day, last Saturday in April',
    date: '2024-04-22T10:00:00',
    category: 'kitchen',
    palette: 'slate',
    weather: 'rain',
    excerpt: 'Bring what is blunt. Bring it wrapped.',
    html: `<p>The grinding wheel comes out at nine and goes back when the queue does. Knives bought here are free, others cost two coins, and scissors depend on what you did with them.</p>
<p>One request from last year’s plasters: please wrap the blades in newspaper, and write a name on the outside.</p>`,
  },
  {
    image: 'story-ice-saints',
    title: 'Wait for Cold Sophie',
    date: '2024-05-10T18:15:00',
    category: 'garden',
    palette: 'sky',
    weather: 'sun',
    excerpt: 'It is warm, we know. Leave the tomatoes indoors for five more nights.',
    html: `<p>Every year someone plants out on the first of May, and every year that someone is back on the sixteenth for new seedlings. The Ice Saints are three grumpy gentlemen and a lady named Sophie; until she has passed, a bucket over each plant is the least you can do.</p>
<p>Old buckets are stacked beside the back door. Help yourself.</p>`,
  },
  {
    image: 'story-elderflower',
    title: 'Four hundred umbels before breakfast',
    date: '2024-06-09T11:20:00',
    category: 'pantry',
    palette: 'lime',
    weather: 'sun',
    excerpt: 'The elderflower pickers had a good morning, and one wasp.',
    html: `<p>Seventeen children, nine baskets, a stretch of railway embankment. They counted aloud until three hundred and after that in songs. By ten o’clock the shop smelled like the inside of a pillow.</p>
<p>Cordial will be bottled on the last day of June. The wasp has been released at the edge of the next parish.</p>`,
  },
  {
    image: 'story-seven-minutes',
    title: 'Why the clock is seven minutes late',
    date: '2024-07-19T16:05:00',
    palette: 'brick',
    weather: 'sun',
    excerpt: 'Visitors keep telling us. We keep thanking them.',
    html: `<p>In 1961 the church clock was repaired by a man whose train left at 17:53. He finished the job, looked at the dial, saw that he would miss it, and moved the hand. The train waited. Nobody has had the heart to move it back.</p>
<p>So lunch here ends at five to two by your telephone, which is two o’clock by the tower, which is when we open.</p>`,
  },
  {
    image: 'story-heat',
    title: 'Opening hours during the heat',
    date: '2024-08-03T07:10:00',
    palette: 'coral',
    weather: 'sun',
    excerpt: 'Early, late, and not in between.',
    html: `<p>Until the thermometer by the door agrees to something below thirty, we open from six to eleven and again from six to nine in the evening. Chocolate is kept in the cellar; ask and somebody will go down gladly.</p>
<p>Dogs find water under the bench. So, to be fair, do people.</p>`,
  },
  {
    image: 'story-donabe-evening',
    title: 'An evening with the 土鍋',
    date: '2024-10-12T20:30:00',
    category: 'kitchen',
    palette: 'night',
    weather: 'night',
    excerpt: 'Yuki cooked, eleven people sat at a table for eight, and the pot went round three times.',
    html: `<p>First cabbage, then mushrooms, then whatever was nearest to the knife. Yuki explained that in her family the quietest person adds the noodles, whereupon it became quiet.</p>
<blockquote><p>“The pot does the work. You only have to stay seated.”</p></blockquote>
<p>A second evening will follow in November. The list is on the counter and has three lines left.</p>`,
  },
  {
    image: 'story-garlic',
    title: 'Put it in the ground and walk away',
    date: '2024-10-26T09:00:00',
    category: 'garden',
    palette: 'moss',
    weather: 'rain',
    excerpt: 'A gardening column for people without time: garlic.',
    html: `<p>Break a bulb into cloves. Push each into the soil, pointed end up, two fingers deep and a hand apart. That was the work.</p>
<p>Snow will lie on it, frost will bite it, in March you will have forgotten where it was, and in July you pull on a dry leaf and own twelve bulbs. There is no other plant that asks so little and smells so proud.</p>`,
  },
  {
    image: 'story-calendar-cats',
    title: 'Seven cats and a mayor',
    date: '2024-11-20T12:50:00',
    category: 'paper-ink',
    palette: 'coral',
    weather: 'snow',
    excerpt: 'Class 3b has drawn the new wall calendar. We asked for landscapes.',
    html: `<p>The brief said “the town through the seasons”. What came back was January with a cat, February with two, and so on up to the famous portrait in May, for which the mayor sat still during an entire break.</p>
<p>Proceeds go to the class trip. They have voted for the sea and against the museum, nineteen to two.</p>`,
  },
  {
    image: 'story-window-steam',
    title: 'The shop window, explained',
    date: '2024-12-07T15:30:00',
    palette: 'night',
    weather: 'snow',
    excerpt: 'Yes, the train runs. No, it is not for sale.',
    html: `<p>Mr Lindqvist built the layout in 1974 for a son who preferred horses. Since then it leaves its boxes once a year and circles our window from the first of Advent to Epiphany, past a church with a light in it and a station where seven people have been waiting for fifty years.</p>
<p>The button outside is at a child’s height. Adults may kneel.</p>`,
  },
  {
    image: 'story-stocktaking',
    title: 'Closed for counting',
    date: '2025-01-02T09:00:00',
    palette: 'slate',
    weather: 'snow',
    excerpt: 'Two days, nine pencils, one disagreement about clothes pegs.',
    html: `<p>We counted 11,482 things, not including the pegs, on which opinions differ. The oldest item found was a tin of boot polish with a price in a currency that no longer exists. The strangest: one roller skate.</p>
<p>Whoever misses a roller skate should come by with the other one.</p>`,
  },
  {
    image: 'story-oil-drum',
    title: 'The drum has arrived',
    date: '2025-01-18T10:45:00',
    category: 'pantry',
    palette: 'lime',
    weather: 'sun',
    excerpt: 'Two hundred litres of olive oil, three strong men, and a door frame.',
    html: `<p>It fits through the back door with a finger’s width on either side, provided that nobody has painted. Somebody had painted.</p>
<p>Bring bottles, clean and dry. Those with corks leak in bicycle bags, as the high street can testify.</p>`,
  },
  {
    image: 'story-ink-test',
    title: 'Ink, rain & a window pane',
    date: '2025-02-06T14:00:00',
    category: 'paper-ink',
    palette: 'sky',
    weather: 'rain',
    excerpt: 'We hung six letters outdoors for a month so that you do not have to.',
    html: `<p>Same sentence, same paper, six inks, thirty-one days of February-in-January weather. Ballpoint faded to a rumour, the violet school ink left on the second night, and felt-tip drew clouds.</p>
<p>Blue-black could be read to the last comma. The sentence, for the curious: <em>“If found, please return to the Corner Shop.”</em> Two were.</p>`,
  },
]
