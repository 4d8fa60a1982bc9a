/** On a form that could not be sent: what is valid for one attempt must be made anew. */
export const UNSENT = 'unsent'

/** On the document, after the answer to a form has replaced its main part. */
export const SHOWN = 'shown'

/**
 * Calls `mount` with each element that the page has, and with those that come with the answer to a form. An element is
 * mounted once.
 */
export function onShown(selector: string, mount: (element: HTMLElement) => void): void {
  const mounted = new WeakSet<HTMLElement>()
  const mountNew = () => {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      if (mounted.has(element)) continue
      mounted.add(element)
      mount(element)
    }
  }
  mountNew()
  document.addEventListener(SHOWN, mountNew)
}
