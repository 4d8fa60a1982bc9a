import type { DemoPerson } from '#server/demo/people.ts'
import { type Duration, days } from '#server/domain/time.ts'

/** A user of the demo office with a year of life, beside those that every demo has. */
export type StaffMember = DemoPerson & {
  /** From the end of the year. Null for one who has no e.firma here. */
  efirmaEndsIn: Duration | null
  /** From the end of the year; null without an end. */
  capacityEndsIn: Duration | null
}

export const STAFF: readonly StaffMember[] = [
  {
    slug: 'notaria-adscrita',
    roles: ['NOTARY'],
    firstName: 'Ximena',
    lastName: 'Córdova Lázaro',
    email: 'adscrita@notaria.example',
    rfc: 'COLX810624P58',
    curp: 'COLX810624MDFRZM09',
    capacity: 'adscrito',
    capacityEndsIn: days(75),
    serial: '30001000000700000111',
    keyPassword: 'clave-de-prueba-11',
    tries: 'notaria adscrita: su e.firma y su calidad están por terminar (alertas, certificados)',
    efirmaEndsIn: days(22),
  },
  {
    slug: 'proyectista',
    roles: ['LAWYER'],
    firstName: 'Rodrigo',
    lastName: 'Ávila Quiñones',
    email: 'proyectista@notaria.example',
    rfc: 'AIQR850917JU2',
    curp: 'AIQR850917HDFVXD01',
    capacity: null,
    capacityEndsIn: null,
    serial: '30001000000700000112',
    keyPassword: 'clave-de-prueba-12',
    tries: 'proyectista: borradores con número y sesiones atrasadas',
    efirmaEndsIn: days(820),
  },
  {
    slug: 'abogada-corporativa',
    roles: ['LAWYER'],
    firstName: 'Fernanda',
    lastName: 'Ibarra Núñez',
    email: 'corporativo@notaria.example',
    rfc: 'IANF900228T32',
    curp: 'IANF900228MDFBXR01',
    capacity: null,
    capacityEndsIn: null,
    serial: '30001000000700000113',
    keyPassword: 'clave-de-prueba-13',
    tries: 'abogada: sesiones con varios firmantes y copias expedidas',
    efirmaEndsIn: days(410),
  },
  {
    slug: 'gestora',
    roles: ['CLERK'],
    firstName: 'Brenda',
    lastName: 'Güereca Luna',
    email: 'gestoria@notaria.example',
    rfc: 'GULB930511R49',
    curp: 'GULB930511MDFRNR02',
    capacity: null,
    capacityEndsIn: null,
    serial: '30001000000700000114',
    keyPassword: 'clave-de-prueba-14',
    tries: 'auxiliar sin e.firma: documentos, números y búsqueda',
    efirmaEndsIn: null,
  },
  {
    slug: 'archivista',
    roles: ['CLERK'],
    firstName: 'Martín',
    lastName: 'Ojeda Peña',
    email: 'archivo@notaria.example',
    rfc: 'OEPM880703G14',
    curp: 'OEPM880703HDFJXR04',
    capacity: null,
    capacityEndsIn: null,
    serial: '30001000000700000115',
    keyPassword: 'clave-de-prueba-15',
    tries: 'suspendido: ya no puede entrar',
    efirmaEndsIn: null,
  },
]

/** One more, who was invited in the last days and has not come yet: so without password and e.firma. */
export const INVITED = {
  firstName: 'Tomás',
  lastName: 'Iriarte Solís',
  email: 'recepcion@notaria.example',
  rfc: 'IAST990130K89',
  curp: 'IAST990130HDFRLM01',
} as const

/** Left the office in the course of the year. */
export const LEFT = { slug: 'archivista', reason: 'Dejó la notaría; su acceso ya no hace falta.' }
