import type { Pkcs12Refusal } from '#server/domain/pkcs/pkcs12.ts'

/** What is wrong with a PKCS#12 file and what to do, for people. */
export const PKCS12_SENTENCES: Record<Pkcs12Refusal, string> = {
  'empty-file': 'El archivo está vacío. Elija su archivo .p12 o .pfx.',
  'is-a-pdf': 'Es un documento PDF, no un archivo PKCS#12. Elija su archivo .p12 o .pfx.',
  'not-a-pkcs12':
    'El archivo no es un PKCS#12 o está dañado. Elija el archivo .p12 o .pfx que contiene su e.firma.',
  'unsupported-encryption':
    'El archivo PKCS#12 está protegido con un método que no se admite. Expórtelo de nuevo con AES-256, o use los archivos .cer y .key.',
  'wrong-password':
    'La contraseña no corresponde a este archivo PKCS#12. Verifíquela e intente de nuevo.',
  'no-pair':
    'El archivo PKCS#12 no contiene un certificado junto con su clave privada RSA. Expórtelo de nuevo con su clave privada.',
}

/** Of a certificate and a key that were shown in two ways at once. */
export const ONE_OF_BOTH =
  'Elija el archivo PKCS#12 o los dos archivos de la e.firma, no ambas cosas.'
