import { ia5String, printableString, t61String } from '#server/domain/asn1/der-writer.ts'
import {
  ID_COMMON_NAME,
  ID_COUNTRY_NAME,
  ID_EMAIL_ADDRESS,
  ID_NAME,
  ID_ORGANIZATION_NAME,
  ID_ORGANIZATIONAL_UNIT_NAME,
  ID_SERIAL_NUMBER,
  ID_UNIQUE_IDENTIFIER,
} from '#server/domain/asn1/object-identifiers.ts'
import { type NameAttribute, nameOf } from './certificate-minting.ts'

/** The holder of a certificate of the SAT. */
export type Holder = {
  /** `ANA MARÍA MUÑOZ LÓPEZ`, or the name of a company. */
  name: string
  /** 13 characters for a person, 12 for a company. */
  rfc: string
  curp?: string
  email?: string
  /** Who acts for a company. */
  representative?: { rfc: string; curp: string }
  /** The branch: its presence makes the certificate a CSD. */
  branch?: string
}

/** The subject of an e.firma or a CSD: the same attributes, order and string types as the SAT's. */
export function holderName(holder: Holder): Uint8Array {
  const isCsd = holder.branch !== undefined
  const { representative } = holder
  const rfc = representative ? `${holder.rfc} / ${representative.rfc}` : holder.rfc
  const curp = representative ? ` / ${representative.curp}` : holder.curp
  const attributes: (NameAttribute | false)[] = [
    text(ID_COMMON_NAME, holder.name),
    text(ID_NAME, holder.name),
    text(ID_ORGANIZATION_NAME, holder.name),
    !isCsd && text(ID_COUNTRY_NAME, 'MX'),
    !isCsd && {
      oid: ID_EMAIL_ADDRESS,
      value: ia5String(holder.email ?? 'demostracion@ejemplo.mx'),
    },
    text(ID_UNIQUE_IDENTIFIER, rfc),
    curp !== undefined && text(ID_SERIAL_NUMBER, curp),
    isCsd && text(ID_ORGANIZATIONAL_UNIT_NAME, holder.branch ?? ''),
  ]
  return nameOf(attributes.filter((attribute) => attribute !== false))
}

/** What a PrintableString may hold, @see X.680, 41.4; the SAT writes anything else as T61String. */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/

export function text(oid: string, value: string): NameAttribute {
  return { oid, value: PRINTABLE.test(value) ? printableString(value) : t61String(value) }
}
