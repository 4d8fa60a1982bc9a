import { acroFormOf, formFields } from '#server/domain/pdf/form-fields.ts'
import { isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { addedItems } from './added-items.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, type Judgement, other } from './finding.ts'
import { type NewSignatureField, newSignatureField } from './signature-field-rule.ts'
import { catalogNumber } from './trailer-rule.ts'

export type FormJudgement = Judgement & {
  readonly newFields: readonly NewSignatureField[]
}

/** Judged item by item, or bookkeeping of the signatures. */
const OPEN_KEYS = new Set(['Fields', 'SigFlags'])
/** What a form without any may also gain: how its own fields look by default. */
const DEFAULTS = new Set(['DA', 'DR'])

/**
 * The form may gain signature fields; the fields that were signed must stay, in their order.
 *
 * @see ISO 32000-2:2020, 12.7.3
 */
export function judgeForm(comparison: Comparison): FormJudgement {
  const { before, after, isSame } = comparison
  const number = catalogNumber(comparison)
  const old = acroFormOf(before)?.entries ?? new Map<string, PdfObject>()
  const now = acroFormOf(after)?.entries ?? new Map<string, PdfObject>()
  const keys = [...new Set([...old.keys(), ...now.keys()])]
  const findings: Finding[] = keys
    .filter((key) => !OPEN_KEYS.has(key) && !isSame(old.get(key), now.get(key)))
    .filter((key) => !(DEFAULTS.has(key) && !old.has(key)))
    .map((key) => other(number, `Se cambió la entrada «${key}» del formulario.`))

  const fields = addedItems(
    before.resolve(old.get('Fields')),
    after.resolve(now.get('Fields')),
    isSame,
  )
  if (fields.isRearranged)
    findings.push(other(number, 'Se quitaron o reordenaron campos del formulario.'))
  const newFields = fields.added.flatMap((item) => acceptedField(comparison, item) ?? [])
  const accepted = new Set(newFields.map((field) => field.number))
  for (const item of fields.added)
    if (!isRef(item) || !accepted.has(item.number))
      findings.push(other(isRef(item) ? item.number : number, 'Se agregó un campo al formulario.'))

  return {
    findings: [...findings, ...newFields.map(findingOf)],
    judged: judgedObjects(comparison, old.get('Fields')),
    newFields,
  }
}

/** The form and its list of fields, where they are objects that nothing else uses. */
function judgedObjects(comparison: Comparison, fields: PdfObject | undefined): Set<number> {
  const { before, isOnlyUsedAs } = comparison
  const form = before.catalog.entries.get('AcroForm')
  const judged = new Set<number>()
  if (isRef(form) && isOnlyUsedAs(form.number, 'AcroForm')) judged.add(form.number)
  if (isRef(fields) && isArray(before.resolve(fields)) && isOnlyUsedAs(fields.number, 'Fields'))
    judged.add(fields.number)
  return judged
}

function acceptedField(comparison: Comparison, item: PdfObject): NewSignatureField | undefined {
  const { before, after, reachBefore } = comparison
  const field = newSignatureField(after, item)
  if (!field) return undefined
  // A signature dressed up as something that the signed document already showed.
  const isOld = [field.number, ...field.widgets].some((number) => reachBefore.roles.has(number))
  const isNameTaken = formFields(before).some(({ name }) => name === field.name)
  return isOld || isNameTaken ? undefined : field
}

function findingOf(field: NewSignatureField): Finding {
  const object = field.number
  const shown = field.isVisible ? ', visible en la página' : ''
  switch (field.kind) {
    case 'document-timestamp':
      return {
        level: field.isVisible ? 'FORM_FILLING' : 'LTA_UPDATES',
        object,
        sentence: `Se agregó un sello de tiempo del documento («${field.name}»${shown}).`,
      }
    case 'signature':
      return {
        level: 'FORM_FILLING',
        object,
        sentence: `Se agregó la firma «${field.name}»${shown}.`,
      }
    case 'empty':
      return {
        level: 'FORM_FILLING',
        object,
        sentence: `Se agregó un campo de firma vacío («${field.name}»${shown}).`,
      }
  }
}
