import { onShown } from './on-shown.ts'

/**
 * Moves the code of a link (`/activate#CODE`) from the address into its field, so that it stays out of the
 * history and off the screen. A fragment is never sent to a server.
 */
function mount(field: HTMLInputElement): void {
  const take = () => {
    const code = decoded(location.hash.slice(1))
    // The field of a page whose form was answered leaves the code to the one that stands there now.
    if (code === '' || !field.isConnected) return
    field.value = code
    history.replaceState(history.state, '', location.pathname + location.search)
    nextEmptyField(field)?.focus()
  }
  take()
  // A second link opened in the same tab only changes the fragment.
  addEventListener('hashchange', take)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return ''
  }
}

function nextEmptyField(field: HTMLInputElement): HTMLInputElement | undefined {
  const fields = field.form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? []
  return [...fields].find((other) => other.value === '')
}

onShown('[data-island="code-from-fragment"]', (field) => mount(field as HTMLInputElement))
