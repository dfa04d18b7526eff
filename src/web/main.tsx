import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/chat.css'
import './styles/markdown.css'
import './styles/run.css'
import './styles/ask.css'
import './styles/ask-answers.css'
import './styles/ansi.css'
import './styles/empty.css'
import './styles/composer.css'
import './styles/status-bar.css'
import './styles/sessions.css'
import './styles/dialogs.css'
import { App } from './app.tsx'
import { Boundary, Broken } from './parts/boundary.tsx'
import { followTheme } from './state/settings.ts'

followTheme()
const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <Boundary fallback={<Broken what="The page" />}>
      <App />
    </Boundary>,
  )
