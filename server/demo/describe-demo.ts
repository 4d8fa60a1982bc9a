import { DEMO_CONSTANCIA_PATH, DEMO_OCSP_PATH, DEMO_TIMESTAMP_PATH } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import type { DemoFiles } from './demo-files.ts'
import { DEMO_PASSWORD, type DemoPerson, GUEST } from './people.ts'

/** What `demo.json` tells programs, and `welcomeTo` people. */
export type DemoDescription = ReturnType<typeof describeDemo>

/**
 * @param people who can sign in
 * @param link of the external signer; null once they have signed
 */
export function describeDemo(
  { publicOrigin: origin }: Config,
  files: DemoFiles,
  people: readonly DemoPerson[],
  link: string | null,
) {
  const { slug, rfc, firstName, lastName } = GUEST
  return {
    origin,
    users: people.map((person) => ({
      roles: person.roles,
      email: person.email,
      password: DEMO_PASSWORD,
      firstName: person.firstName,
      lastName: person.lastName,
      /** What to try as this user, es-MX. */
      tries: person.tries,
      ...files.efirmas.get(person.slug),
    })),
    /** The external signer; `link` is null once they have signed. */
    guest: { firstName, lastName, rfc, link, ...files.efirmas.get(slug) },
    refused: files.refused,
    services: {
      ocsp: `${origin}${DEMO_OCSP_PATH}`,
      timestamps: `${origin}${DEMO_TIMESTAMP_PATH}`,
      constancias: `${origin}${DEMO_CONSTANCIA_PATH}`,
    },
  }
}

/** What is printed when the demo answers, es-MX. @param file of the description */
export function welcomeTo({ origin, users, guest, services }: DemoDescription, file: string) {
  const names = users.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length)) + 2
  const emails = widthOf(users.map(({ email }) => email))
  const width = widthOf(names)
  const rows = users.map(
    ({ email, tries }, place) =>
      `  ${email.padEnd(emails)}${(names[place] ?? '').padEnd(width)}${tries}`,
  )
  const first = users[0]
  return `
Rúbrica · demostración (nada de lo que hay aquí tiene validez)

  Abra ${origin}

Personas (contraseña de todas: ${DEMO_PASSWORD}) y qué probar con cada una
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
function guestLines({
  link,
  firstName,
  lastName,
  cer,
  key,
  keyPassword,
}: DemoDescription['guest']) {
  if (link === null) return ''
  return `
Para firmar, o rechazar, como una persona externa (${firstName} ${lastName}): abra su enlace en una ventana privada; sirve una vez.
  Enlace         ${link}
  Certificado    ${cer}
  Clave privada  ${key}
  Contraseña de la clave privada: ${keyPassword}
`
}
