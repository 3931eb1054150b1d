import { FileDoneOutlined, FileTextOutlined } from '@ant-design/icons'
import { route } from '../../kit/routes/route.ts'

export default route({
  path: 'tickets',
  title: 'viewTickets',
  about: 'tickets.ticket',
  licensed: true,
  showOrganization: false,
  children: [
    {
      path: 'my-tickets',
      title: 'myTickets',
      icon: FileTextOutlined,
      component: () => import('./my-tickets.tsx'),
    },
    {
      path: 'assigned-tickets',
      title: 'assignedTickets',
      icon: FileDoneOutlined,
      component: () => import('./assigned-tickets.tsx'),
    },
    {
      path: 'tickets/login-confirm/:id',
      title: 'ticketDetail',
      component: () => import('./login-confirm.tsx'),
    },
    {
      path: 'tickets/login-host-confirm/:id',
      title: 'ticketDetail',
      component: () => import('./login-asset-confirm.tsx'),
    },
    {
      path: 'tickets/command-confirm/:id',
      title: 'ticketDetail',
      component: () => import('./command-confirm.tsx'),
    },
    { path: 'tickets/:id', title: 'ticketDetail', component: () => import('./ticket.tsx') },
  ],
})
