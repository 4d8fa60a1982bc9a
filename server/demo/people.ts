import type { Role } from '#server/domain/identity/role.ts'
import type { Capacity } from '#server/domain/identity/user.ts'

/** A fictitious person with an e.firma. */
export type EfirmaHolder = {
  /** Names their files. */
  slug: string
  firstName: string
  lastName: string
  email: string
  rfc: string
  curp: string
  serial: string
  keyPassword: string
}

/** A user of the demo office. */
export type DemoPerson = EfirmaHolder & {
  roles: readonly Role[]
  capacity: Capacity | null
  /** What to try as this user, es-MX. */
  tries: string
}

/** The one password of all demo people: fifteen characters or more, as the rules want. */
export const DEMO_PASSWORD = 'Notaria-de-prueba-2026'

export const PEOPLE: readonly DemoPerson[] = [
  {
    slug: 'notaria-titular',
    roles: ['NOTARY', 'ADMIN'],
    firstName: 'María Ángeles',
    lastName: 'Núñez Ibáñez',
    email: 'titular@notaria.example',
    rfc: 'NUIA700315E56',
    curp: 'NUIA700315MDFXBN05',
    capacity: 'titular',
    serial: '30001000000700000101',
    keyPassword: 'contraseña-de-la-clave-1',
    tries: 'notaria titular y administradora: firma lo que espera y cambia las políticas',
  },
  {
    slug: 'notario-suplente',
    roles: ['NOTARY'],
    firstName: 'José Luis',
    lastName: 'Peña Güemes',
    email: 'suplente@notaria.example',
    rfc: 'PEGL650820KS4',
    curp: 'PEGL650820HDFXMS04',
    capacity: 'suplente',
    serial: '30001000000700000102',
    keyPassword: 'contraseña-de-la-clave-2',
    tries: 'notario suplente: firma, o rechaza con motivo',
  },
  {
    slug: 'abogada',
    roles: ['LAWYER'],
    firstName: 'Sofía',
    lastName: 'Ñáñez Ortega',
    email: 'abogada@notaria.example',
    rfc: 'ÑAOS880112B40',
    curp: 'XAOS880112MDFXRF04',
    capacity: null,
    serial: '30001000000700000103',
    keyPassword: 'clave-de-prueba-3',
    tries: 'abogada: prepara sesiones de firma y listas de revisión; firma cuando le toca',
  },
  {
    slug: 'auxiliar',
    roles: ['CLERK'],
    firstName: 'Iván',
    lastName: 'Castañeda Cruz',
    email: 'auxiliar@notaria.example',
    rfc: 'CACI950603QH8',
    curp: 'CACI950603HDFSRV08',
    capacity: null,
    serial: '30001000000700000104',
    keyPassword: 'clave-de-prueba-4',
    tries: 'auxiliar: sube documentos, toma números y prepara sesiones',
  },
  {
    slug: 'auditora',
    roles: ['AUDITOR'],
    firstName: 'Lucía',
    lastName: 'Domínguez Sáenz',
    email: 'auditora@notaria.example',
    rfc: 'DOSL790928T60',
    curp: 'DOSL790928MDFMNC01',
    capacity: null,
    serial: '30001000000700000105',
    keyPassword: 'clave-de-prueba-5',
    tries: 'auditora: lee la bitácora, los reportes y los paquetes de evidencia',
  },
  {
    slug: 'administrador',
    roles: ['ADMIN'],
    firstName: 'Óscar',
    lastName: 'Méndez Villaseñor',
    email: 'administrador@notaria.example',
    rfc: 'MEVO820417M92',
    curp: 'MEVO820417HDFNLS01',
    capacity: null,
    serial: '30001000000700000106',
    keyPassword: 'clave-de-prueba-6',
    tries: 'administrador: personas, alertas, correos y proveedores',
  },
]

/** An external signer, without an account, who has an e.firma. */
export const GUEST = {
  slug: 'arrendadora',
  firstName: 'Begoña',
  lastName: 'Peñaloza Yáñez',
  email: 'begona@correo.example',
  rfc: 'PEYB820417HM2',
  curp: 'PEYB820417MDFXXG03',
  serial: '30001000000700000107',
  keyPassword: 'clave-de-prueba-7',
} satisfies EfirmaHolder

/** An e.firma that the first person had before, and her seal for invoices: both must be refused. */
export const FORMER_EFIRMA = { slug: 'notaria-titular-vencida', serial: '30001000000500000091' }
export const INVOICE_SEAL = { slug: 'notaria-titular-csd', serial: '30001000000700000191' }

/** One that the first person reported as lost half a year after she got it. */
export const REVOKED_EFIRMA = {
  slug: 'notaria-titular-revocada',
  serial: '30001000000700000199',
  keyPassword: 'clave-de-prueba-9',
}
