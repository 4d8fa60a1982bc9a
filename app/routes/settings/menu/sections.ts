import type { Role } from '#server/domain/identity/role.ts'
import { type Action, isAllowed } from '#server/domain/policy/authorize.ts'
import type { MenuSection } from './settings-menu.tsx'

type Page = { to: string; name: string; action?: Action }

const PATH = '/dashboard/settings'

const OFFICE: Action = 'office.manage'

const SECTIONS: readonly { name: string; pages: readonly Page[] }[] = [
  {
    name: 'Notaría',
    pages: [
      { to: PATH, name: 'Resumen' },
      { to: `${PATH}/office`, name: 'Datos de la notaría', action: OFFICE },
      { to: `${PATH}/privacy`, name: 'Aviso de privacidad', action: OFFICE },
    ],
  },
  {
    name: 'Firma',
    pages: [
      { to: `${PATH}/presence`, name: 'Presencia', action: OFFICE },
      { to: `${PATH}/server-signing`, name: 'En el servidor', action: OFFICE },
      { to: `${PATH}/timestamps`, name: 'Sello de tiempo', action: OFFICE },
      { to: `${PATH}/constancias`, name: 'Constancias', action: OFFICE },
      { to: `${PATH}/providers`, name: 'Proveedores' },
      { to: `${PATH}/authorities`, name: 'Autoridades' },
    ],
  },
  {
    name: 'Acceso',
    pages: [
      { to: `${PATH}/second-factor`, name: 'Dos pasos', action: OFFICE },
      { to: `${PATH}/idle`, name: 'Sin actividad', action: OFFICE },
      { to: `${PATH}/session-length`, name: 'Sesión continua', action: OFFICE },
      { to: `${PATH}/roles`, name: 'Roles' },
    ],
  },
  {
    name: 'Documentos',
    pages: [
      { to: `${PATH}/obligations`, name: 'Obligaciones' },
      { to: `${PATH}/numbers`, name: 'Numeración', action: 'number-series.manage' },
      { to: `${PATH}/checklists`, name: 'Listas de revisión', action: 'checklists.manage' },
      { to: `${PATH}/acts`, name: 'Actos', action: OFFICE },
      { to: `${PATH}/upload-limit`, name: 'Tamaño máximo', action: OFFICE },
      { to: `${PATH}/public-page`, name: 'Página pública', action: OFFICE },
      { to: `${PATH}/retention`, name: 'Plazos de conservación', action: OFFICE },
      { to: `${PATH}/arco`, name: 'Plazos ARCO', action: OFFICE },
    ],
  },
  {
    name: 'Correo y avisos',
    pages: [
      { to: `${PATH}/mail`, name: 'Servidor de correo', action: OFFICE },
      { to: `${PATH}/outbox`, name: 'Correos', action: OFFICE },
      { to: `${PATH}/reminders`, name: 'Recordatorios', action: OFFICE },
      { to: `${PATH}/reports`, name: 'Reportes de cada mes', action: OFFICE },
    ],
  },
]

/** The sections with the pages that these roles may open; none if there is but one page. */
export function sectionsFor(roles: readonly Role[]): MenuSection[] {
  const sections = SECTIONS.map(({ name, pages }) => ({
    name,
    pages: pages
      .filter(({ action }) => !action || isAllowed(roles, action))
      .map(({ to, name: page }) => ({ to, name: page })),
  })).filter(({ pages }) => pages.length > 0)
  return sections.length > 1 ? sections : []
}
