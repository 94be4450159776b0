// Turns the link to the next page into a button that adds its cards here. Without this script, or when something goes
// wrong, it is a link.
for (const link of document.querySelectorAll('a[data-load-more]')) {
  const list = document.getElementById(link.dataset.into)
  const status = link.parentElement.querySelector('[role=status]')
  let page = Number(link.dataset.page)
  let isLoading = false

  link.addEventListener('click', async (event) => {
    // A new tab or window is still a page of its own.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isLoading) return
    isLoading = true
    status.textContent = 'Loading…'
    try {
      const { html, hasMore } = await fetchPage(link.dataset.loadMore, page, link.dataset.perPage)
      const present = list.children.length
      list.insertAdjacentHTML('beforeend', html)
      const added = list.children.length - present
      status.textContent = added === 0 ? 'That is all.' : `${added} more.`
      // Whoever reads with the keyboard goes on at the first new card.
      list.children[present]?.querySelector('a')?.focus()
      page += 1
      if (!hasMore) link.remove()
      else link.href = `?page=${page}`
    } catch {
      location.href = link.href
    } finally {
      isLoading = false
    }
  })
}

async function fetchPage(source, page, perPage) {
  const response = await fetch(`${source}?page=${page}&per_page=${perPage}`)
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  return response.json()
}
