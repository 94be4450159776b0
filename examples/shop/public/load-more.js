// Turns the link to the next page into a button that adds its cards here. Without this script, or when something goes
// wrong, it is a link. The history entry remembers how many pages were added and where the reader was, so that "back"
// leads to the same place.

/** Pages that are added again after "back". With more, the reader is told and goes on after these. */
const maxRestored = 20

for (const link of document.querySelectorAll('a[data-load-more]')) enhance(link)

function enhance(link) {
  const list = document.getElementById(link.dataset.into)
  const status = link.parentElement.querySelector('[role=status]')
  const first = Number(link.dataset.page)
  let page = first
  let isLoading = false
  let hasMore = true

  async function addPage() {
    const { html, hasMore: isThereMore } = await fetchPage(link, page)
    const present = list.children.length
    list.insertAdjacentHTML('beforeend', html)
    page += 1
    hasMore = isThereMore
    link.href = link.href.replace(/\/page\/\d+|([?&]paged=)\d+/, (_, name) => (name ? name : '/page/') + page)
    return list.children.length - present
  }

  function remember() {
    history.replaceState({ ...history.state, added: page - first, scrollY }, '')
  }

  link.addEventListener('click', async (event) => {
    // A new tab or window is still a page of its own.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isLoading) return
    isLoading = true
    status.textContent = 'Loading…'
    try {
      const present = list.children.length
      const added = await addPage()
      status.textContent = added === 0 ? 'That is all.' : `${added} more.`
      // A keyboard user continues at the first new card. After a click with the mouse, the page does not scroll.
      const next = list.children[present] ?? list.lastElementChild
      next?.querySelector('a')?.focus({ preventScroll: event.detail > 0 })
      if (!hasMore) link.remove()
      remember()
    } catch {
      location.href = link.href
    } finally {
      isLoading = false
    }
  })

  async function restore() {
    const { added = 0, scrollY: top = 0 } = history.state ?? {}
    if (added === 0) return
    const restored = Math.min(added, maxRestored)
    history.scrollRestoration = 'manual'
    try {
      for (let number = 0; number < restored && hasMore; number += 1) await addPage()
      if (!hasMore) link.remove()
      else if (restored < added) status.textContent = `${restored} of the ${added} loaded pages are shown again.`
      scrollTo({ top, behavior: 'instant' })
    } catch {
      status.textContent = ''
    }
  }

  addEventListener('pagehide', () => {
    if (page > first) remember()
  })
  void restore()
}

/** A logged-in reader sends the nonce of the page, because the cookie alone identifies nobody. */
async function fetchPage(link, page) {
  const { loadMore, perPage, nonce } = link.dataset
  const headers = nonce ? { 'X-WP-Nonce': nonce } : {}
  const response = await fetch(`${loadMore}?page=${page}&per_page=${perPage}`, { headers })
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  // The service sends a newer nonce when the one of the page grows old.
  link.dataset.nonce = response.headers.get('X-WP-Nonce') ?? nonce ?? ''
  return response.json()
}
