import { z } from 'zod'
import { searchable } from '#server/domain/identity/text.ts'
import {
  ChecklistItem,
  type ChecklistItems,
  MOST_ITEMS,
} from '#server/domain/signing/act/checklist.ts'
import { Instant } from '#server/domain/time.ts'
import { rowsOfItems } from './item-rows.ts'

const ROWS = rowsOfItems(MOST_ITEMS)

const names = ROWS.flatMap(({ text, phase, need }) => [text, phase, need])
const Texts = z.object(
  Object.fromEntries(names.map((name) => [name, z.string().max(400).default('')])),
)

/** Empty for a suggestion of the program. */
const SeenAt = z
  .string()
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(Instant.nullable())

type Items = z.output<typeof ChecklistItems>

/** The form of a list; rows without a text are left out. */
export const ChecklistForm = z
  .looseObject({ at: SeenAt.default(null) })
  .transform(({ at, ...rest }, context): { at: Instant | null; items: Items } => {
    const typed: Record<string, string> = Texts.parse(rest)
    const items: Items = []
    for (const row of ROWS) {
      const text = typed[row.text]?.trim() ?? ''
      if (text === '') continue
      const addIssue = (message: string) =>
        context.addIssue({ code: 'custom', path: [row.text], message })
      const item = ChecklistItem.safeParse({ text, phase: typed[row.phase], need: typed[row.need] })
      if (!item.success) addIssue('Escriba el punto con hasta 160 caracteres.')
      else if (items.some((one) => searchable(one.text) === searchable(item.data.text)))
        addIssue('Este punto ya está en otro renglón.')
      else items.push(item.data)
    }
    return { at, items }
  })

/** The list as its fields show it. */
export const fieldsOfItems = (items: readonly ChecklistItem[]): Record<string, string> =>
  Object.assign(
    {},
    ...items.map(({ text, phase, need }, index) => ({
      [`text-${index + 1}`]: text,
      [`phase-${index + 1}`]: phase,
      [`need-${index + 1}`]: need,
    })),
  )
