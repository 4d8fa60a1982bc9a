import type { ChangeCodes } from './change-codes.ts'
import type { CodedFact, ParameterOf } from './coded-fact.ts'
import type { WarningCodes } from './warning.ts'

/** Whether a parameter may hold what the file calls a party: a new parameter is decided here. */
const MAY_NAME_A_PARTY: Record<ParameterOf<ChangeCodes> | ParameterOf<WarningCodes>, boolean> = {
  authority: false,
  byte: false,
  claimedTime: false,
  count: false,
  doubt: false,
  field: true,
  format: false,
  key: true,
  listed: false,
  notAfter: false,
  notBefore: false,
  object: false,
  page: false,
  provenTime: false,
  reason: false,
  revokedAt: false,
  signingTime: false,
  total: false,
  value: true,
  visible: false,
}

/** The fact without names from the file, for readers who only have the code of the document. */
export function maskedFact<F extends CodedFact>(fact: F): F {
  const parameters = Object.entries(fact.parameters).map(([name, value]) => {
    const isName = (MAY_NAME_A_PARTY as Record<string, boolean>)[name] !== false
    return [name, isName && typeof value === 'string' ? maskedText(name, value) : value]
  })
  return { ...fact, parameters: Object.fromEntries(parameters) }
}

/** Only the name of a field may be one of ours: a party may type the same as a value. */
const maskedText = (parameter: string, text: string) =>
  parameter === 'field' ? maskedField(text) : '…'

/** Signature fields of documents from elsewhere may contain names; those that we make do not. */
export const maskedField = (field: string) => (/^Firma(?:nte-)?\d+$/.test(field) ? field : '…')
