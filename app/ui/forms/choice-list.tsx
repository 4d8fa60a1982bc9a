import type { ReactNode } from 'react'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './choice-list.module.css'

type Choice = {
  icon: IconName
  name: string
  /** One line: what the user needs at hand. */
  line: string
}

/** A short list of choices, the recommended one first. */
export function ChoiceList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={css.choices} aria-label={label}>
      {children}
    </ul>
  )
}

/** A choice that only navigates. */
export function ChoiceLink({ to, ...choice }: Choice & { to: string }) {
  return (
    <li>
      <PageLink to={to} className={css.choice}>
        <ChoiceFace {...choice} />
      </PageLink>
    </li>
  )
}

/** A choice that submits the form around the list. */
export function ChoiceButton({ value, ...choice }: Choice & { value: string }) {
  return (
    <li>
      <button type="submit" name="method" value={value} className={css.choice}>
        <ChoiceFace {...choice} />
      </button>
    </li>
  )
}

function ChoiceFace({ icon, name, line }: Choice) {
  return (
    <>
      <Icon name={icon} size={24} />
      <span>
        <strong>{name}</strong> <span className={css.line}>{line}</span>
      </span>
      <Icon name="right" size={16} />
    </>
  )
}
