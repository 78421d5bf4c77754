// Shows the sums of what is typed, as the server computes them after each pause; without scripts a button does.
const sums = document.getElementById('sums')
const { form } = document.querySelector('[value=compute]')
let waiting
let asked
form.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(() => void compute(), 400)
})
form.querySelector('[value=compute]').hidden = true

async function compute() {
  asked?.abort()
  asked = new AbortController()
  const body = new URLSearchParams(new FormData(form))
  body.set('deed', 'compute')
  try {
    const answer = await fetch(location.pathname, { method: 'POST', body, signal: asked.signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    sums.replaceChildren(...(page.getElementById('sums')?.children ?? []))
  } catch (error) {
    // A newer question took its place. Otherwise nobody answered, and no sum is better than an old one.
    if (error.name !== 'AbortError') sums.replaceChildren()
  }
}
