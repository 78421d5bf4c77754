// The page works without this, but for sealing a card: then it offers what else there is.
const FIRST_ASK_MS = 2000
const MOST_ASK_MS = 30000

function prepareCard(form) {
  const { dataset } = form
  const [brands, faults, key] = [dataset.brands, dataset.faults, dataset.key].map((text) => JSON.parse(text))
  const inputs = Object.fromEntries(
    Object.keys(CHECKS).map((name) => [name, document.getElementById(`card-${name}`)]),
  )
  const button = form.querySelector('button')
  const notice = document.getElementById('card-notice')
  const shownBrand = document.getElementById('card-brand')
  const brand = () => brandOf(digitsOf(inputs.number.value), brands)

  if (!globalThis.crypto?.subtle) return tell(notice, dataset.needsHttps)
  button.disabled = false

  const check = (name) => {
    const fault = CHECKS[name](inputs[name].value, brand())
    const shown = document.getElementById(`card-${name}-fault`)
    shown.textContent = fault ? faults[fault] : ''
    if (fault) inputs[name].setAttribute('aria-invalid', 'true')
    else inputs[name].removeAttribute('aria-invalid')
    return fault === undefined
  }
  for (const [name, input] of Object.entries(inputs)) {
    // Nobody is told of a fault in what they have not typed yet.
    input.addEventListener('blur', () => input.value.trim() !== '' && check(name))
    input.addEventListener('input', () => input.hasAttribute('aria-invalid') && check(name))
  }
  inputs.number.addEventListener('input', () => {
    const digits = digitsOf(inputs.number.value).slice(0, 19)
    shownBrand.textContent = BRAND_NAMES[brand()] ?? ''
    rewrite(inputs.number, groupedNumber(digits, brand()))
  })
  inputs.expiry.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('delete')) return
    const digits = digitsOf(inputs.expiry.value)
    if (/^\d{3,}$/.test(inputs.expiry.value))
      inputs.expiry.value = `${digits.slice(0, 2)}/${digits.slice(2, 6)}`
    else if (/^(0[1-9]|1[0-2])$/.test(inputs.expiry.value)) inputs.expiry.value += '/'
    else if (/^[2-9]$/.test(inputs.expiry.value)) inputs.expiry.value = `0${digits}/`
  })

  const send = async () => {
    const state = await ask(dataset.ask)
    if (state.status === 'PAID' || state.status === 'CONFIRMING') return location.reload()
    const card = {
      cardNumber: digitsOf(inputs.number.value),
      holder: { name: inputs.holder.value.trim() },
      expiration: expirationOf(inputs.expiry.value),
      cvv: digitsOf(inputs.cvv.value),
      iat: state.now,
    }
    form.elements.encryptedCard.value = await seal(card, key)
    form.submit()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button.disabled) return
    const wrong = Object.keys(CHECKS).filter((name) => !check(name))
    if (wrong.length > 0) return inputs[wrong[0]].focus()
    const label = button.textContent
    notice.hidden = true
    button.disabled = true
    button.textContent = dataset.paying
    send().catch(() => {
      button.disabled = false
      button.textContent = label
      tell(notice, dataset.noAnswer)
    })
  })
}

// The cursor stays behind the digit behind which it was.
function rewrite(input, text) {
  if (input.value === text) return
  const before = digitsOf(input.value.slice(0, input.selectionStart)).length
  const atEnd = input.selectionStart === input.value.length
  input.value = text
  if (atEnd) return
  let at = 0
  for (let digits = 0; digits < before && at < text.length; at += 1) {
    if (/\d/.test(text[at])) digits += 1
  }
  input.setSelectionRange(at, at)
}

function tell(notice, text) {
  notice.textContent = text
  notice.hidden = false
}

async function ask(url) {
  const answer = await fetch(url, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return answer.json()
}

// While somebody else's answer is awaited: the page shows itself anew when there is one.
function watch({ waits, ask: url }) {
  let wait = FIRST_ASK_MS
  const look = async () => {
    if (!document.hidden) {
      const { status } = await ask(url).catch(() => ({ status: waits }))
      if (status !== waits) return location.reload()
      wait = Math.min(wait * 1.3, MOST_ASK_MS)
    }
    setTimeout(look, wait)
  }
  setTimeout(look, wait)
  document.addEventListener('visibilitychange', () => (wait = FIRST_ASK_MS))
}

for (const form of document.querySelectorAll('#card-form')) prepareCard(form)
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    const button = form.querySelector('button')
    if (button.disabled) return event.preventDefault()
    button.disabled = true
    button.textContent = form.dataset.once
  })
}
for (const main of document.querySelectorAll('main[data-waits]')) watch(main.dataset)
for (const button of document.querySelectorAll('[data-copies]')) {
  button.hidden = !navigator.clipboard
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.dataset.copies).then(() => {
      button.textContent = button.dataset.copied
    })
  })
}
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
// What went wrong comes first to who hears the page.
document.querySelector('[aria-invalid], [data-focus]')?.focus()
// A page that comes back from the browser's memory may be of the past.
addEventListener('pageshow', (event) => event.persisted && location.reload())
