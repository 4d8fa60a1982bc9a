import { Outlet } from 'react-router'
import { PublicFrame } from '#app/ui/frame/public-frame.tsx'

/** The frame of the public pages, which load no script but their island. */
export default function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}
