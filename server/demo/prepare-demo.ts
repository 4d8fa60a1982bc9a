import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DEMO_CONSTANCIA_PATH, DEMO_OCSP_PATH, DEMO_TIMESTAMP_PATH } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { type DemoFiles, makeDemoFiles } from './demo-files.ts'
import { makeGuestLink } from './make-guest-link.ts'
import { DEMO_PASSWORD, GUEST, PEOPLE } from './people.ts'
import { seedChecklists } from './seed-checklists.ts'
import { seedDocuments } from './seed-documents.ts'
import { seedNumbers } from './seed-numbers.ts'
import { seedOffice } from './seed-office.ts'
import { seedProvider } from './seed-providers.ts'
import { seedSessions } from './seed-sessions.ts'
import { seedYubikeys } from './seed-yubikeys.ts'

const timestampAddress = ({ publicOrigin }: Config) => `${publicOrigin}${DEMO_TIMESTAMP_PATH}`
const constanciaAddress = ({ publicOrigin }: Config) => `${publicOrigin}${DEMO_CONSTANCIA_PATH}`

const folderOf = (config: Config) => path.join(config.dataFolder, 'demo')

/** The authority and the e.firmas of the demo; they must exist before the system reads its anchors. */
export const prepareDemoFiles = (config: Config, now: Instant) =>
  makeDemoFiles(folderOf(config), now)

/**
 * Fills the demo office on the first start, and writes `demo.json` for programs.
 *
 * @returns what people are told, es-MX
 */
export async function prepareDemo(
  system: System,
  config: Config,
  files: DemoFiles,
): Promise<string> {
  const { office, users } = await seedOffice(system, files)
  await seedDocuments(system, files, users)
  await seedNumbers(system, users)
  await seedChecklists(system, users)
  await seedSessions(system, files, users)
  await seedYubikeys(system, users)
  await seedProvider(system, office, 'timestamp', timestampAddress(config))
  await seedProvider(system, office, 'constancia', constanciaAddress(config))
  const link = await makeGuestLink(system, users)
  const description = describe(config, files, link)
  const target = path.join(folderOf(config), 'demo.json')
  writeFileSync(`${target}.tmp`, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${target}.tmp`, target)
  return welcome(description, target)
}

type Description = ReturnType<typeof describe>

function describe(config: Config, files: DemoFiles, link: string | null) {
  const { slug, rfc, firstName, lastName } = GUEST
  return {
    origin: config.publicOrigin,
    users: PEOPLE.map((person) => ({
      roles: person.roles,
      email: person.email,
      password: DEMO_PASSWORD,
      firstName: person.firstName,
      lastName: person.lastName,
      ...files.efirmas.get(person.slug),
    })),
    /** The external signer; `link` is null once they have signed. */
    guest: { firstName, lastName, rfc, link, ...files.efirmas.get(slug) },
    refused: files.refused,
    services: {
      ocsp: `${config.publicOrigin}${DEMO_OCSP_PATH}`,
      timestamps: timestampAddress(config),
      constancias: constanciaAddress(config),
    },
  }
}

function welcome({ origin, users, guest, services }: Description, file: string): string {
  const rows = users.map(
    ({ email, roles, firstName, lastName }) =>
      `  ${email.padEnd(32)}${roles.join(', ').padEnd(16)}${firstName} ${lastName}`,
  )
  const first = users[0]
  return `
Rúbrica · demostración (nada de lo que hay aquí tiene validez)

  Abra ${origin}

Personas (contraseña de todas: ${DEMO_PASSWORD})
${rows.join('\n')}

Para hacer la primera firma: entre como ${first?.email}, abra “Documentos”, elija un borrador y “Firmar”.
  Certificado    ${first?.cer}
  Clave privada  ${first?.key}
  Contraseña de la clave privada: ${first?.keyPassword}
${guestLines(guest)}
La autoridad de demostración responde sobre revocación (OCSP) en ${services.ocsp}
da sellos de tiempo (RFC 3161) en ${services.timestamps}
y constancias de conservación de prueba en ${services.constancias}

Todo esto, para programas: ${file}
Para terminar: Ctrl+C
`
}

/** How to try what an external signer sees: as a stranger, so in a window without the session of the office. */
function guestLines({ link, firstName, lastName, cer, key, keyPassword }: Description['guest']) {
  if (link === null) return ''
  return `
Para firmar, o rechazar, como una persona externa (${firstName} ${lastName}): abra su enlace en una ventana privada; sirve una vez.
  Enlace         ${link}
  Certificado    ${cer}
  Clave privada  ${key}
  Contraseña de la clave privada: ${keyPassword}
`
}
