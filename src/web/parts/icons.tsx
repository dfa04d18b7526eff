import type { ReactNode } from 'react'

const icon = (drawing: ReactNode) => () => (
  <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    {drawing}
  </svg>
)

export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </>,
)
export const CheckIcon = icon(<path d="M3 8.5l3.2 3.2L13 5" />)
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />)
export const CloseIcon = icon(<path d="M4 4l8 8M12 4l-8 8" />)
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="M10.2 10.2L13.5 13.5" />
  </>,
)
export const ListIcon = icon(
  <>
    <rect x="2" y="3" width="12" height="10" rx="1.8" />
    <path d="M6 3v10" />
  </>,
)
export const TerminalIcon = icon(
  <>
    <rect x="2" y="3" width="12" height="10" rx="1.8" />
    <path d="M4.8 6.2L7 8l-2.2 1.8M8.4 10h2.8" />
  </>,
)
export const MoreIcon = icon(<path d="M3.4 8h.01M8 8h.01M12.6 8h.01" className="icon-dots" />)
export const SendIcon = icon(<path d="M8 13V3.4M3.8 7.4L8 3.2l4.2 4.2" />)
export const StopIcon = icon(
  <rect x="4.2" y="4.2" width="7.6" height="7.6" rx="1.2" className="icon-solid" />,
)
export const DownIcon = icon(<path d="M8 3v9.6M3.8 8.6L8 12.8l4.2-4.2" />)
export const EyeOffIcon = icon(<path d="M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4zM3 13L13 3" />)
export const SunIcon = icon(
  <>
    <circle cx="8" cy="8" r="2.8" />
    <path d="M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />
  </>,
)
export const MoonIcon = icon(<path d="M13 9.6A5.6 5.6 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z" />)
export const HalfIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" />
  </>,
)
