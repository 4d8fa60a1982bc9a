/**
 * Keeps what is typed or marked in the page before React takes it over. Into every `<textarea>` that came with
 * a text React puts that text again, once, when it takes it over: what was typed by then would be gone, and
 * whoever is about to type would stand at its end.
 */
export function keepTyped(): void {
  for (const area of document.querySelectorAll('textarea')) {
    const { value, defaultValue } = area
    // React leaves an empty one alone.
    if (defaultValue === '') continue
    // Of a value that was set a browser knows that it is not the default one, and leaves it when that is set.
    area.value = value
    ignoreOnce(area, defaultValue)
  }
}

/** From the first time on that its value is set, it is as any other. */
function ignoreOnce(area: HTMLTextAreaElement, text: string): void {
  Object.defineProperty(area, 'value', {
    configurable: true,
    get: () => Reflect.get(HTMLTextAreaElement.prototype, 'value', area),
    set(wanted: string) {
      Reflect.deleteProperty(area, 'value')
      if (wanted !== text) area.value = wanted
    },
  })
}
