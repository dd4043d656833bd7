#ifndef CSTUCKRESOLVER_H
#define CSTUCKRESOLVER_H

/* Programs that link this find no address for "stuck.test": whoever asks waits until it is let go,
   as with a name server that does not answer. */

/* Returns once somebody asks for the name. */
void cstuckresolver_wait_until_asked(void);
/* Lets those who ask go, with an error, now and from now on. */
void cstuckresolver_release(void);

#endif
