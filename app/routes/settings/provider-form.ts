import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  Cost,
  PolicyIdentifier,
  ProviderAddress,
  ProviderKind,
  ProviderName,
  ProviderPassword,
  ProviderUsername,
} from '#server/domain/timestamp/service-provider.ts'

const ADDRESS = 'Escriba la dirección del proveedor, con https://.'
const USERNAME = 'Escriba el usuario, sin dos puntos y de hasta 200 caracteres.'
const PASSWORD = 'Escriba la contraseña que le dio el proveedor, de hasta 200 caracteres.'
const POLICY = 'Escriba números separados por puntos, como 1.3.6.1.4.1.601, o deje el campo vacío.'

/** Maps an empty field to null. */
const optional = <S extends z.ZodType<string, string>>(schema: S, sentence: string) =>
  withSentence(
    z
      .string()
      .trim()
      .transform((text) => (text === '' ? null : text))
      .pipe(schema.nullable()),
    sentence,
  )

/** The form that adds a provider. */
export const NewProviderForm = z
  .object({
    kind: withSentence(ProviderKind, 'Elija qué da el proveedor.'),
    name: withSentence(ProviderName, 'Escriba el nombre del proveedor, de hasta 100 caracteres.'),
    url: withSentence(ProviderAddress, ADDRESS),
    policy: optional(PolicyIdentifier, POLICY),
    username: optional(ProviderUsername, USERNAME),
    password: z.string(),
  })
  .transform(({ username, password, ...provider }, context) => {
    const addIssue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const isLoginWanted = username !== null || password !== ''
    if (!isLoginWanted) return { ...provider, login: null }
    if (username === null) addIssue('username', USERNAME)
    if (!ProviderPassword.safeParse(password).success) addIssue('password', PASSWORD)
    return { ...provider, login: { username: username ?? '', password } }
  })

const COST = 'Escriba el costo en pesos, como 12.50, de hasta 100,000, o deje el campo vacío.'

/** Pesos as people write them, in centavos; null if empty. */
const Pesos = z
  .string()
  .trim()
  .transform((text) => text.replace(/^\$/, '').replaceAll(',', '').trim())
  .pipe(z.union([z.literal(''), z.string().regex(/^\d{1,6}(?:\.\d{1,2})?$/)]))
  .transform((text) => (text === '' ? null : Math.round(Number(text) * 100)))
  .pipe(Cost.nullable())

/** The forms of a provider's page, by their hidden field. */
export const ProviderAction = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('move'), direction: z.enum(['earlier', 'later']) }),
  z.object({ intent: z.literal('remove') }),
  z.object({ intent: z.literal('cost'), cost: withSentence(Pesos, COST) }),
])
export type ProviderAction = z.infer<typeof ProviderAction>
