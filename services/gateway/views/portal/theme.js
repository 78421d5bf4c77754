// Shows each color in the previews while it is chosen; without scripts a button does.
const form = document.querySelector('[data-preview]')
const frames = document.querySelectorAll('.previews iframe')
let waiting
form.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(() => {
    const query = new URLSearchParams(new URL(frames[0].src).search)
    for (const { name, value } of form.elements) if (query.has(name)) query.set(name, value)
    for (const frame of frames) frame.src = `${form.dataset.preview}?${query}`
  }, 250)
})
const preview = form.querySelector('[value=preview]')
if (preview) preview.hidden = true
