// On a phone the list of pages is closed until it is asked for. This runs before the content is shown, which would move.
const narrow = matchMedia('(max-width: 48rem)')
const pages = document.querySelector('.side details')
const fit = () => (pages.open = !narrow.matches)
narrow.addEventListener('change', fit)
fit()
