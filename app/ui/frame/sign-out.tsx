import { labels } from '#app/messages/labels.ts'
import { CsrfField } from '#app/ui/forms/csrf-field.tsx'
import css from './sign-out.module.css'

/** The sign-out button of pages without the dashboard's menu. */
export function SignOut() {
  return (
    <form method="post" action="/logout">
      <CsrfField />
      <button type="submit" className={css.link}>
        {labels.signOut}
      </button>
    </form>
  )
}
