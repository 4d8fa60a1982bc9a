import type { ChangeCodes } from './change-codes.ts'
import type { CodedFact, TextParameterOf } from './coded-fact.ts'
import type { WarningCodes } from './warning.ts'

/** Whether a text may be what the file calls a party: a new parameter is decided here. */
const MAY_NAME_A_PARTY: Record<
  TextParameterOf<ChangeCodes> | TextParameterOf<WarningCodes>,
  boolean
> = {
  authority: false,
  claimedTime: false,
  doubt: false,
  field: true,
  format: false,
  key: true,
  notAfter: false,
  notBefore: false,
  provenTime: false,
  reason: false,
  revokedAt: false,
  signingTime: false,
  value: true,
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
