import type { FormErrors } from '#app/http/forms.ts'

/** A refused form of the page: its intent and signer, errors and values. */
export type SessionFault = {
  intent: string
  signerId: string
  errors: FormErrors
  values: Record<string, string>
}

/** Returns the fault of one form; undefined if another one was refused. */
export const faultOf = (fault: SessionFault | undefined, intent: string, signerId = '') =>
  fault?.intent === intent && fault.signerId === signerId ? fault : undefined
