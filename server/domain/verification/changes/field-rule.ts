import { type FormField, formFields } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isDictionary, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import type { Finding, Judgement } from './finding.ts'
import { kindOf } from './signature-field-rule.ts'

/** What filling a signature field in changes in the field and its widget. */
const FILLED_KEYS = new Set(['V', 'AP', 'AS', 'M', 'F', 'MK', 'P', 'Type', 'NM', 'DA'])

/**
 * A signature field that was empty may be signed. Whatever else changes about a field is left to others.
 *
 * @see ISO 32000-2:2020, 12.7.5.5
 */
export function judgeFilledFields(comparison: Comparison): Judgement {
  const findings: Finding[] = []
  const judged = new Set<number>()
  for (const field of formFields(comparison.before)) {
    if (field.type !== 'Sig' || comparison.before.resolve(field.value) !== null) continue
    const objects = [...new Set([field.ref, ...field.widgets].map((ref) => ref?.number ?? 0))]
    const changed = objects.filter((number) => comparison.changed.has(number))
    if (changed.length === 0 || !changed.every((number) => isOnlyFilled(comparison, number)))
      continue
    for (const number of changed) judged.add(number)
    findings.push(findingOf(comparison, field, changed[0]!))
  }
  return { findings, judged }
}

function isOnlyFilled({ before, after, isSame }: Comparison, number: number): boolean {
  const now = after.object(number)?.value
  if (!isDictionary(now) || kindOf(after, now) === undefined) return false
  const old = entriesOf(before.object(number)?.value)
  const isOpen = (key: string, value: PdfObject | undefined) =>
    FILLED_KEYS.has(key) || isSame(value, now.entries.get(key))
  return [...new Set([...old.keys(), ...now.entries.keys()])].every((key) =>
    isOpen(key, old.get(key)),
  )
}

function findingOf({ after }: Comparison, field: FormField, number: number): Finding {
  const now = after.object(field.ref?.number ?? number)?.value
  const isTimestamp = isDictionary(now) && kindOf(after, now) === 'document-timestamp'
  return {
    level: 'FORM_FILLING',
    object: number,
    sentence: isTimestamp
      ? `Se selló el tiempo en el campo de firma «${field.name}».`
      : `Se firmó en el campo de firma «${field.name}».`,
  }
}
