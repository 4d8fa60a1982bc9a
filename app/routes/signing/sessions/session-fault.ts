import type { FormErrors } from '#app/http/forms.ts'

/** A form of the page that was refused: which one, of which signer, what is wrong and what was typed. */
export type SessionFault = {
  intent: string
  signerId: string
  errors: FormErrors
  values: Record<string, string>
}

/** The fault of one form; undefined when it was another that was refused. */
export const faultOf = (fault: SessionFault | undefined, intent: string, signerId = '') =>
  fault?.intent === intent && fault.signerId === signerId ? fault : undefined
