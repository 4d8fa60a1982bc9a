import { isTyped, type TypedForm, typedForm, typedIn } from './typed-form.ts'

/* Of the open page: what it sent, and what became of that. */
let sent: TypedForm | undefined
let isSentTyped = false
let accepted: TypedForm | undefined
/** A refused form comes back with what was typed as the page's own values. */
let refusedAt: string | undefined
let mayLeave = false

/**
 * Whether something was typed into the page that was not sent yet, or was refused.
 *
 * @param page the path of the open page; the address may already be the next one
 */
export function hasUnsaved(page: string): boolean {
  if (mayLeave) return false
  if (refusedAt === page) return true
  const typed = typedForm()
  return typed !== undefined && !(accepted && isSame(typed, accepted))
}

const isSame = (one: TypedForm, other: TypedForm) =>
  one.path === other.path && one.fields.toString() === other.fields.toString()

/** The page is left on purpose: its form is on its way, or what it holds is kept elsewhere. */
export function letLeave(): void {
  mayLeave = true
}

/** What is typed from now on is new. */
export function goOnTyping(): void {
  mayLeave = false
}

/** A form is sent: its own navigation leaves the page without a question. */
export function startSending(form: HTMLFormElement): void {
  sent = typedIn(form)
  // What a refused form came back with are the page's own values, and were typed all the same.
  isSentTyped = isTyped(form) || refusedAt !== undefined
  letLeave()
}

/**
 * The page shows the answer.
 *
 * @param refusingPage the path of the page that shows what is wrong with the form; undefined if nothing is
 */
export function endSending(refusingPage: string | undefined): void {
  if (refusingPage === undefined) accepted = sent
  // An answer can look like a refusal where nothing typed is at stake: a file is not counted.
  refusedAt = isSentTyped ? refusingPage : undefined
  sent = undefined
  mayLeave = false
}
