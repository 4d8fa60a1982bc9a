import { type ChosenFile, DEFAULT_KIND, type Shared } from './chosen-file.ts'
import { titleOfFile } from './title-of-file.ts'

/** What we filled in from the name of a file: it gives way to the next file, what the user typed does not. */
export type Filled = { title: string; kind: string; isGuessed: boolean }

export const NOTHING_FILLED: Filled = { title: '', kind: DEFAULT_KIND, isGuessed: false }

/** What the user typed and chose in the fields that all files share. */
export function sharedIn(form: HTMLFormElement, filled: Filled): Shared {
  const { title, kind } = fieldsOf(form)
  return {
    title: title.value === filled.title ? '' : title.value.trim(),
    kind: kind.value === filled.kind ? undefined : (kind.value as ChosenFile['kind']),
  }
}

/** Fills in the fields for the only file. */
export function fillIn(form: HTMLFormElement, { file, kind }: ChosenFile, filled: Filled): Filled {
  const shared = sharedIn(form, filled)
  const fields = fieldsOf(form)
  const title = shared.title === '' ? titleOfFile(file.name) : filled.title
  if (shared.title === '') fields.title.value = title
  if (shared.kind) return { ...filled, title, isGuessed: false }
  fields.kind.value = kind
  return { title, kind, isGuessed: kind !== DEFAULT_KIND }
}

/** The only file left the form. */
export function clearFilled(form: HTMLFormElement, filled: Filled): Filled {
  const shared = sharedIn(form, filled)
  const { title, kind } = fieldsOf(form)
  if (shared.title === '') title.value = ''
  if (!shared.kind) kind.value = DEFAULT_KIND
  return NOTHING_FILLED
}

function fieldsOf({ elements }: HTMLFormElement) {
  return {
    title: elements.namedItem('title') as HTMLInputElement,
    kind: elements.namedItem('kind') as HTMLSelectElement,
  }
}
