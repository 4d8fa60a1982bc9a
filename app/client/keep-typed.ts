/**
 * Keeps text typed before hydration. React sets the server's text again, once, on every prefilled
 * `<textarea>` that it hydrates, which would discard the typed text and move the cursor.
 */
export function keepTyped(): void {
  for (const area of document.querySelectorAll('textarea')) {
    const { value, defaultValue } = area
    // React does not set an empty one.
    if (defaultValue === '') continue
    // Once set, the value no longer follows the default value.
    area.value = value
    ignoreOnce(area, defaultValue)
  }
}

/** Ignores the first assignment of `text` to the value. */
function ignoreOnce(area: HTMLTextAreaElement, text: string): void {
  Object.defineProperty(area, 'value', {
    configurable: true,
    get: () => Reflect.get(HTMLTextAreaElement.prototype, 'value', area),
    set(next: string) {
      Reflect.deleteProperty(area, 'value')
      if (next !== text) area.value = next
    },
  })
}
