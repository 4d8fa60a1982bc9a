import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { MAIL_PORTS, MailPassword } from '#server/domain/mail/mail-server.ts'
import { Instant } from '#server/domain/time.ts'
import { SetMailServer } from '#server/features/mail/set-mail-server.ts'

const { shape } = SetMailServer

const HOST =
  'Escriba el nombre del servidor, como correo.notaria.mx. No se acepta una dirección IP ni este mismo equipo.'

/** Maps an empty field to null. */
const optional = <S extends z.ZodType<string, string>>(schema: S, sentence: string) =>
  withSentence(
    z
      .string()
      .transform((text) => (text.trim() === '' ? null : text))
      .pipe(schema.nullable()),
    sentence,
  ).default(null)

const SeenInstant = z
  .string()
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(Instant.nullable())

/** The forms of the page, by their hidden field. */
export const MailServerAction = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('set'),
    host: withSentence(shape.host, HOST),
    port: withSentence(z.string().transform(Number).pipe(shape.port), 'Elija el puerto.'),
    security: withSentence(shape.security, 'Elija cómo se cifra la conexión.'),
    username: optional(
      z.string().trim().min(1).max(200),
      'Escriba el usuario, de hasta 200 caracteres.',
    ),
    password: optional(MailPassword, 'Escriba la contraseña, de hasta 200 caracteres.'),
    fromName: withSentence(
      shape.from.shape.name,
      'Escriba el nombre del remitente, de hasta 100 caracteres.',
    ),
    fromAddress: withSentence(
      shape.from.shape.address,
      'Escriba el correo del remitente, como rubrica@notaria.mx.',
    ),
    seenAt: SeenInstant.default(null),
  }),
  z.object({ intent: z.literal('test') }),
  z.object({ intent: z.literal('remove') }),
])

export const portChoices = MAIL_PORTS.map((port) => ({ value: String(port), label: String(port) }))

export const securityChoices = [
  { value: 'starttls', label: 'STARTTLS (usual en el puerto 587)' },
  { value: 'tls', label: 'TLS desde el inicio (usual en el puerto 465)' },
] as const
