import type { ReactNode } from 'react'
import { Icon, type IconName } from '#app/ui/text/icon.tsx'
import css from './item-list.module.css'

/** A list of items, one line each. */
export function ItemList({ children }: { children: ReactNode }) {
  return <ul className={css.list}>{children}</ul>
}

type Props = {
  icon: IconName
  name: ReactNode
  /** Beside the name. */
  badge?: ReactNode
  /** A link or a form. */
  action?: ReactNode
  /** Paragraphs. */
  children: ReactNode
}

export function Item({ icon, name, badge, action, children }: Props) {
  return (
    <li>
      <Icon name={icon} size={24} />
      <div>
        <strong>{name}</strong> {badge}
        {children}
      </div>
      {action}
    </li>
  )
}
