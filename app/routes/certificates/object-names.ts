import {
  ID_ANY_POLICY,
  ID_AUTHORITY_INFORMATION_ACCESS,
  ID_AUTHORITY_KEY_IDENTIFIER,
  ID_BASIC_CONSTRAINTS,
  ID_CERTIFICATE_POLICIES,
  ID_CLIENT_AUTHENTICATION,
  ID_COMMON_NAME,
  ID_COUNTRY_NAME,
  ID_CRL_DISTRIBUTION_POINTS,
  ID_EMAIL_ADDRESS,
  ID_EMAIL_PROTECTION,
  ID_EXTENDED_KEY_USAGE,
  ID_KEY_USAGE,
  ID_LOCALITY_NAME,
  ID_NAME,
  ID_NETSCAPE_CERTIFICATE_TYPE,
  ID_OCSP_SIGNING,
  ID_ORGANIZATION_NAME,
  ID_ORGANIZATIONAL_UNIT_NAME,
  ID_P256,
  ID_P384,
  ID_P521,
  ID_POSTAL_CODE,
  ID_QC_STATEMENTS,
  ID_RSA_PSS,
  ID_RSA_SHA1,
  ID_RSA_SHA256,
  ID_RSA_SHA384,
  ID_RSA_SHA512,
  ID_SERIAL_NUMBER,
  ID_STATE_NAME,
  ID_STREET_ADDRESS,
  ID_SUBJECT_ALTERNATIVE_NAME,
  ID_SUBJECT_KEY_IDENTIFIER,
  ID_TIME_STAMPING,
  ID_UNIQUE_IDENTIFIER,
  ID_UNSTRUCTURED_NAME,
} from '#server/domain/asn1/object-identifiers.ts'

/** Attributes of names, as the SAT uses them. */
const ATTRIBUTES: Record<string, string> = {
  [ID_COMMON_NAME]: 'Nombre común (CN)',
  [ID_NAME]: 'Nombre',
  [ID_ORGANIZATION_NAME]: 'Organización (O)',
  [ID_ORGANIZATIONAL_UNIT_NAME]: 'Unidad (OU)',
  [ID_COUNTRY_NAME]: 'País (C)',
  [ID_STATE_NAME]: 'Estado (ST)',
  [ID_LOCALITY_NAME]: 'Localidad (L)',
  [ID_STREET_ADDRESS]: 'Domicilio',
  [ID_POSTAL_CODE]: 'Código postal',
  [ID_EMAIL_ADDRESS]: 'Correo electrónico',
  [ID_UNIQUE_IDENTIFIER]: 'RFC (identificador único)',
  [ID_SERIAL_NUMBER]: 'CURP (número de serie del nombre)',
  [ID_UNSTRUCTURED_NAME]: 'Responsable',
}

const ALGORITHMS: Record<string, string> = {
  [ID_RSA_SHA1]: 'RSA con SHA-1',
  [ID_RSA_SHA256]: 'RSA con SHA-256',
  [ID_RSA_SHA384]: 'RSA con SHA-384',
  [ID_RSA_SHA512]: 'RSA con SHA-512',
  [ID_RSA_PSS]: 'RSA-PSS',
}

const CURVES: Record<string, string> = {
  [ID_P256]: 'P-256',
  [ID_P384]: 'P-384',
  [ID_P521]: 'P-521',
}

const PURPOSES: Record<string, string> = {
  [ID_CLIENT_AUTHENTICATION]: 'identificarse ante un servidor',
  [ID_EMAIL_PROTECTION]: 'proteger correo electrónico',
  [ID_TIME_STAMPING]: 'emitir sellos de tiempo',
  [ID_OCSP_SIGNING]: 'responder sobre revocación (OCSP)',
}

const EXTENSIONS: Record<string, string> = {
  [ID_BASIC_CONSTRAINTS]: 'Restricciones básicas',
  [ID_KEY_USAGE]: 'Uso de la clave',
  [ID_EXTENDED_KEY_USAGE]: 'Uso extendido de la clave',
  [ID_NETSCAPE_CERTIFICATE_TYPE]: 'Tipo de certificado (Netscape)',
  [ID_SUBJECT_KEY_IDENTIFIER]: 'Identificador de la clave',
  [ID_AUTHORITY_KEY_IDENTIFIER]: 'Identificador de la clave del emisor',
  [ID_SUBJECT_ALTERNATIVE_NAME]: 'Otros nombres del titular',
  [ID_CERTIFICATE_POLICIES]: 'Políticas',
  [ID_CRL_DISTRIBUTION_POINTS]: 'Listas de revocación',
  [ID_AUTHORITY_INFORMATION_ACCESS]: 'Información del emisor',
  [ID_QC_STATEMENTS]: 'Declaraciones de certificado calificado',
}

const POLICIES: Record<string, string> = { [ID_ANY_POLICY]: 'cualquier política' }

/** The name in es-MX, else the dotted decimal itself. */
const nameIn = (names: Record<string, string>) => (oid: string) =>
  Object.hasOwn(names, oid) ? (names[oid] ?? oid) : oid

export const attributeName = nameIn(ATTRIBUTES)
export const algorithmName = nameIn(ALGORITHMS)
export const curveName = nameIn(CURVES)
export const purposeName = nameIn(PURPOSES)
export const extensionName = nameIn(EXTENSIONS)
export const policyName = nameIn(POLICIES)
