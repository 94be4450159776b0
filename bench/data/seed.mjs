const day = 86_400_000
const firstDay = Date.UTC(2020, 0, 1)
const dateOf = (index, count) =>
  new Date(firstDay + Math.floor((index / count) * 2000 * day)).toISOString().slice(0, 19)

/** The function that makes products and posts through the product itself, so the rows are those that it would have made. */
export function seedOf(products, posts) {
  return async ({ records }) => {
    const sentence = 'Made by hand from oak and brass, it lasts a lifetime & is sent within two days.'
    for (let index = 1; index <= products; index += 1) {
      await records.insert({
        type: 'product',
        status: 'publish',
        title: `Product ${index} "${['oak', 'brass', 'café'][index % 3]}"`,
        content: `<p>${sentence}</p>\n<p>Number ${index}, https://shop.example/${index}</p>`,
        date: dateOf(index, products),
        meta: { price: ((index * 37) % 20_000) / 100, total_sales: (index * 7919) % 1000 },
      })
    }
    for (let index = 1; index <= posts; index += 1) {
      await records.insert({
        type: 'post',
        status: 'publish',
        title: `Story ${index} <of> the shop`,
        content: `<p>${sentence}</p>`.repeat(10),
        excerpt: `${sentence} (${index})`,
        date: dateOf(index, posts),
      })
    }
  }
}
