import { z } from 'zod'
import { faultOfCharacter } from '#app/http/declared-character.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Day } from '#server/domain/day.ts'
import { DeclaredCharacter } from '#server/domain/identity/signing-character.ts'
import { line, searchable } from '#server/domain/identity/text.ts'
import {
  type Act,
  ActData,
  type ActRole,
  electronicIn,
  MOST_ROLES,
} from '#server/domain/signing/act/act.ts'
import { Instant } from '#server/domain/time.ts'
import { rowsOfRoles } from './act-rows.ts'

const ROLE_ROWS = rowsOfRoles(MOST_ROLES)

const TextIn = z.string().max(400).default('')
const roleFields = Object.fromEntries(
  ROLE_ROWS.flatMap(({ character, least, most }) => [character, least, most]).map((name) => [
    name,
    TextIn,
  ]),
)

/**
 * The fields of an act.
 *
 * @param entity the state of the federation that the answer is about
 */
const actForm = (entity: string) =>
  z
    .object({
      name: withSentence(ActData.shape.name, 'Escriba el nombre del acto, hasta 80 caracteres.'),
      notary: withSentence(ActData.shape.notary, 'Elija si firma un notario.'),
      answer: withSentence(
        z.enum(['yes', 'no', 'unknown']),
        'Elija si el acto puede firmarse electrónicamente.',
      ),
      source: withSentence(
        z.union([z.literal(''), line(300)]),
        'Escriba la fuente, hasta 300 caracteres.',
      ).default(''),
      day: withSentence(
        z.union([z.literal(''), Day]),
        'Escriba una fecha que exista, como 2026-11-20.',
      ).default(''),
      ...roleFields,
    })
    .transform((typed, context): ActData => {
      const addIssue = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message })
      const { name, notary, answer } = typed
      const source = typed.source || null
      const day = typed.day || null
      if (answer !== 'unknown' && source === null) addIssue('source', 'Escriba dónde lo dice.')
      if (source !== null && day === null) addIssue('day', 'Escriba cuándo se consultó la fuente.')
      const isAnswered = answer !== 'unknown' || source !== null
      return {
        ...{ name, notary, roles: rolesIn(typed as Record<string, unknown>, addIssue) },
        electronic: isAnswered
          ? { answer, entity, source, day: source === null ? null : day }
          : null,
      }
    })

function rolesIn(typed: Record<string, unknown>, addIssue: (field: string, text: string) => void) {
  const roles: ActData['roles'] = []
  for (const row of ROLE_ROWS) {
    const [text, least, most] = [row.character, row.least, row.most].map((name) =>
      String(typed[name] ?? '').trim(),
    )
    if (!text) continue
    const character = DeclaredCharacter.safeParse(text)
    if (!character.success) {
      addIssue(row.character, faultOfCharacter(text, 'Escriba hasta 80 caracteres.'))
      continue
    }
    if (roles.some((role) => searchable(role.character) === searchable(character.data)))
      addIssue(row.character, 'Este carácter ya está en otro renglón.')
    const counts = Counts.safeParse({ least, most })
    if (counts.success) roles.push({ character: character.data, ...counts.data })
    else
      addIssue(
        row.least,
        'El mínimo va de 0 a 40; el máximo, de 1 a 40, y no puede ser menor que el mínimo.',
      )
  }
  return roles
}

const Counts = z
  .object({
    least: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .pipe(z.int().max(40)),
    most: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(40)),
  })
  .refine(({ least, most }) => least <= most)

/** The act as its fields show it, for an office in this state of the federation. */
export function fieldsOfAct(
  act: Pick<Act, 'name' | 'roles' | 'notary' | 'electronic'>,
  entity: string,
): Record<string, string> {
  const { answer, source, day } = electronicIn(act, entity)
  return {
    ...{ name: act.name, notary: act.notary, answer, source: source ?? '', day: day ?? '' },
    ...Object.assign({}, ...act.roles.map(fieldsOfRole)),
  }
}

const fieldsOfRole = ({ character, least, most }: ActRole, index: number) => ({
  [`character-${index + 1}`]: character,
  [`least-${index + 1}`]: String(least),
  [`most-${index + 1}`]: String(most),
})

/** Empty for an act of the program that the office has not changed. */
const SeenAt = z
  .string()
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(Instant.nullable())

type ActPageForm =
  | { intent: 'change'; at: Instant | null; act: ActData }
  | { intent: 'retire' | 'restore' }

/** The forms of an act's page. */
export const ActPageForm = (entity: string) =>
  z
    .looseObject({ intent: z.enum(['change', 'retire', 'restore']), at: SeenAt.default(null) })
    .transform(({ intent, at, ...fields }, context): ActPageForm => {
      if (intent !== 'change') return { intent }
      const act = actIn(fields, entity, context)
      return act ? { intent, at, act } : z.NEVER
    })

/** The form of a new act. */
export const NewActForm = (entity: string) =>
  z
    .looseObject({ once: z.uuid() })
    .transform(({ once, ...fields }, context): { once: string; act: ActData } => {
      const act = actIn(fields, entity, context)
      return act ? { once, act } : z.NEVER
    })

/** Undefined after an issue. */
function actIn(fields: unknown, entity: string, context: z.RefinementCtx): ActData | undefined {
  const act = actForm(entity).safeParse(fields)
  for (const { path, message } of act.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: [...path], message })
  return act.data
}
