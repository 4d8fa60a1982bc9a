/** A form with something in it that was not sent. */
export type TypedForm = {
  /** Where it would be sent to. */
  path: string
  /** Without passwords and files. */
  fields: URLSearchParams
}

/** Returns the first form of the page in which something was typed or chosen; undefined without one. */
export function typedForm(page: Document = document): TypedForm | undefined {
  const form = [...page.querySelectorAll('form')].find(
    (one) => one.getAttribute('method') === 'post' && isTyped(one),
  )
  return form && typedIn(form)
}

/** Whether something was typed or chosen in the form. */
export const isTyped = (form: HTMLFormElement): boolean => [...form.elements].some(isChanged)

/** Returns what stands in a form. */
function typedIn(form: HTMLFormElement): TypedForm {
  const secrets = [...form.querySelectorAll<HTMLInputElement>('input[type=password]')]
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && secrets.every((secret) => secret.name !== name))
      fields.append(name, value)
  // An input named "action" would hide the property.
  const { pathname } = new URL(form.getAttribute('action') ?? '', form.ownerDocument.location.href)
  return { path: pathname, fields }
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field instanceof HTMLSelectElement) return isChosen(field)
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false
  if (field.type === 'password' || field.type === 'file') return false
  return field.type === 'checkbox' || field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue
}

/** Without a choice of the page, a browser chooses the first option. */
function isChosen({ options, selectedIndex }: HTMLSelectElement): boolean {
  const byPage = [...options].findLastIndex(({ defaultSelected }) => defaultSelected)
  return selectedIndex !== Math.max(0, byPage)
}
