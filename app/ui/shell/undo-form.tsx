import { useLocation } from 'react-router'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import css from './undo-form.module.css'

/** Undoes the last action and comes back to the page that is open. */
export function UndoForm({ undo }: { undo: string }) {
  const { pathname, search } = useLocation()
  return (
    <PostForm action="/dashboard/undo" className={css.form} preventScrollReset>
      <input type="hidden" name="undo" value={undo} />
      <input type="hidden" name="returnUrl" value={pathname + search} />
      <button type="submit" className={css.button}>
        Deshacer
      </button>
    </PostForm>
  )
}
