import type { FormEntries } from '#app/http/body.ts'
import type { FormErrors } from '#app/http/forms.ts'

/** A form that was refused: which of the page it was, what is wrong, and what was typed. */
export type FaultyForm = { intent: string; errors: FormErrors; values: Record<string, string> }

const DAMAGED = 'La solicitud llegó incompleta o dañada. No se guardó nada; intente de nuevo.'

/** Fields that no form of ours has are told in one sentence: whoever sent them knows which. */
export function faultOf(
  intent: string,
  errors: FormErrors,
  values: Record<string, string>,
): FaultyForm {
  const { form, intent: unknown, ...fields } = errors
  return { intent, errors: form || unknown ? { ...fields, form: [DAMAGED] } : fields, values }
}

export function typedIn(entries: FormEntries | null): Record<string, string> {
  const texts = (entries ?? []).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts) as Record<string, string>
}
