// `/` leads to the search box, except while somebody types.
document.addEventListener('keydown', (event) => {
  const box = document.querySelector('.search input')
  const isTyping = event.target.closest('input, select, textarea, [contenteditable]')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || !box) return
  event.preventDefault()
  box.focus()
  box.select()
})
