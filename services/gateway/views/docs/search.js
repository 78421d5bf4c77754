// Hides what does not contain every typed word. Without this script the lists stand as they are.
const field = document.querySelector('[data-search]')
if (field) {
  const entries = [...document.querySelectorAll('[data-words]')]
  const groups = [...document.querySelectorAll('[data-group]')]
  const found = document.querySelector('[data-found]')
  field.closest('.search').hidden = false
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const entry of entries) {
      const text = entry.dataset.words.toLowerCase()
      entry.hidden = !words.every((word) => text.includes(word))
    }
    for (const group of groups) group.hidden = !group.querySelector('[data-words]:not([hidden])')
    const count = entries.filter((entry) => !entry.hidden).length
    found.textContent = words.length === 0 ? '' : `${count} found`
  })
}
