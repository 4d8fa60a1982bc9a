import type { FormErrors } from '#app/http/forms.ts'

/** A refused form: its intent, errors and values. */
export type FaultyForm = { intent: string; errors: FormErrors; values: Record<string, string> }

const DAMAGED = 'La solicitud llegó incompleta o dañada. No se guardó nada; intente de nuevo.'

/** Errors of fields that our forms do not have become one general sentence. */
export function faultOf(
  intent: string,
  errors: FormErrors,
  values: Record<string, string>,
): FaultyForm {
  const { form, intent: unknown, ...fields } = errors
  return { intent, errors: form || unknown ? { ...fields, form: [DAMAGED] } : fields, values }
}
