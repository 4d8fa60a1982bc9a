/** `MARÍA NÚÑEZ` → `M**** N****`: recognizable to a reader who knows the person, and to no other. */
export function maskName(name: string): string {
  return name
    .normalize('NFC')
    .split(/[\s-]+/u)
    .filter((word) => word !== '')
    .map((word) => starred(word, 1, 0))
    .join(' ')
}

/** `MARÍA NÚÑEZ` → `M. N.`: tells not even how long the name is. */
export function initialsOnly(name: string): string {
  return name
    .normalize('NFC')
    .split(/[\s-]+/u)
    .filter((word) => word !== '')
    .map((word) => `${[...word][0]}.`)
    .join(' ')
}

/** `NUÑF800101AB1` → `NUÑ*******AB1`; anything too short to be one is masked whole. */
export function maskRfc(rfc: string): string {
  return [...rfc].length < 12 ? starred(rfc, 0, 0) : starred(rfc, 3, 3)
}

function starred(text: string, first: number, last: number): string {
  const letters = [...text]
  const isShown = (index: number) => index < first || index >= letters.length - last
  return letters.map((letter, index) => (isShown(index) ? letter : '*')).join('')
}
