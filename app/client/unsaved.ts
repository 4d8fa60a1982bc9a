import { isTyped } from './typed-form.ts'

/* Of the open page. Forms of pages that were left are no longer in the document, and are forgotten. */
const touched = new Set<HTMLFormElement>()
let sent: HTMLFormElement | undefined
/** It came back with what was typed as the page's own values. */
let refused: HTMLFormElement | undefined
let mayLeave = false

/** Whether something was typed into the page that was not sent yet, or was refused. */
export function hasUnsaved(): boolean {
  return !mayLeave && [...touched].some((form) => form.isConnected && isUnsaved(form))
}

const isUnsaved = (form: HTMLFormElement) => form === refused || isTyped(form)

/** The page is left on purpose: its form is on its way, or what it holds is kept elsewhere. */
export function letLeave(): void {
  mayLeave = true
}

/** Something is typed or chosen in a form that changes something. Passwords and files are not kept anyway. */
export function touch(field: EventTarget | null): void {
  mayLeave = false
  for (const form of touched) if (!form.isConnected) touched.delete(form)
  if (field instanceof HTMLInputElement && ['password', 'file'].includes(field.type)) return
  const form = field instanceof Element ? field.closest('form') : null
  if (form?.getAttribute('method') === 'post') touched.add(form)
}

/** A form is sent: its own navigation leaves the page without a question. */
export function startSending(form: HTMLFormElement): void {
  sent = form
  letLeave()
}

/**
 * The page shows the answer.
 *
 * @param isAccepted false if the form shows what is wrong with it: what was typed is not saved then
 */
export function endSending(isAccepted: boolean): void {
  mayLeave = false
  if (!sent) return
  if (isAccepted) touched.delete(sent)
  if (isAccepted && refused === sent) refused = undefined
  if (!isAccepted) refused = sent
  sent = undefined
}
