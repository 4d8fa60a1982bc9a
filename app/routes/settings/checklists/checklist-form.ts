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

/** Text, phase and need; a field that came twice is none. */
const Row = z.tuple([z.string().trim().default(''), z.string().optional(), z.string().optional()])

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
    const items: Items = []
    for (const row of ROWS) {
      const addIssue = (message: string) =>
        context.addIssue({ code: 'custom', path: [row.text], message })
      const typed = Row.safeParse([rest[row.text], rest[row.phase], rest[row.need]])
      const [text, phase, need] = typed.data ?? []
      if (text === '') continue
      const item = ChecklistItem.safeParse({ text, phase, need })
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
