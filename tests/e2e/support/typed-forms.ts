import type { Locator, Page } from '@playwright/test'

/** The forms of a page that change something. */
export const formsOn = (page: Page) => page.locator('main form[method=post]')

/** Those of them that take no files. */
export const formsWithoutFilesOn = (page: Page) =>
  page.locator('main form[method=post]:not([enctype="multipart/form-data"])')

/** What a user sees in a form: each field that is not hidden, with what is in it. */
export type Typed = [name: string, value: string][]

/** Types or chooses something in each field, and opens the folds around the form. */
export const fillIn = (form: Locator): Promise<void> =>
  form.evaluate((element) => {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true
    for (const [index, field] of [...(element as HTMLFormElement).elements].entries()) {
      if (field instanceof HTMLTextAreaElement) field.value = `Texto ${index}\nsegundo renglón`
      else if (field instanceof HTMLSelectElement) field.selectedIndex = field.options.length - 1
      else if (field instanceof HTMLInputElement) {
        if (/hidden|submit/.test(field.type)) continue
        if (field.type === 'file') {
          const chosen = new DataTransfer()
          chosen.items.add(new File(['%PDF-1.7'], `archivo${index}.pdf`))
          field.files = chosen.files
        } else if (/checkbox|radio/.test(field.type)) field.checked = true
        else if (field.type === 'date') field.value = '2031-03-04'
        else if (field.type === 'email') field.value = `persona${index}@notaria.example`
        else field.value = field.type === 'number' ? '3' : `Texto ${index}`
      } else continue
      for (const event of ['input', 'change'])
        field.dispatchEvent(new Event(event, { bubbles: true }))
    }
  })

/** @param withSecrets passwords, codes and files too */
export const typedIn = (form: Locator, { withSecrets = true } = {}): Promise<Typed> =>
  form.evaluate((element, all) => {
    const secret = /password|key|secret|^pin$|^code$/i
    return [...(element as HTMLFormElement).elements].flatMap((field): [string, string][] => {
      const isField =
        field instanceof HTMLInputElement ||
        field instanceof HTMLTextAreaElement ||
        field instanceof HTMLSelectElement
      if (!isField || field.type === 'hidden') return []
      if (field instanceof HTMLInputElement && field.files)
        return all ? [[field.name, [...field.files].map(({ name }) => name).join()]] : []
      if (!all && (field.type === 'password' || secret.test(field.name))) return []
      const isBox = field.type === 'checkbox' || field.type === 'radio'
      return [[field.name, isBox ? String((field as HTMLInputElement).checked) : field.value]]
    })
  }, withSecrets)

/** Which form of its page it is: its address, its hidden fields, and its button. */
export const nameOf = (form: Locator): Promise<string> =>
  form.evaluate((element) => {
    const names = [...(element as HTMLFormElement).elements].map((field) =>
      field instanceof HTMLButtonElement ? field.textContent : field.getAttribute('name'),
    )
    const intent = element.querySelector<HTMLInputElement>(
      '[name=intent], [name=change], [name=to]',
    )
    return [element.getAttribute('action'), intent?.value, ...names].join(' ')
  })

/** The first button that a user can press to send the form: a hidden one only serves the Enter key. */
export const submitButtonOf = (form: Locator): Locator =>
  form.locator('button:not([type=button], [aria-hidden])').first()
