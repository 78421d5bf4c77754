// Shows the buttons that copy a field; without scripts the field is selected by hand.
for (const button of document.querySelectorAll('[data-copies]')) {
  const source = document.getElementById(button.dataset.copies)
  button.hidden = !navigator.clipboard
  button.addEventListener('click', () => {
    source.select()
    void navigator.clipboard.writeText(source.value).then(() => (button.textContent = '✓'))
  })
}
