// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C adapter whose transfers a process answers.
 *
 * Whoever opens /dev/i2c-uadapN is everything that hangs on bus N:
 *
 *   read   u32 id, s32 count, count times { u16 address, u16 flags, u16 length }, then the bytes of all messages
 *          that write, one behind the other
 *   write  u32 id, s32 result (count, or an error number below zero), then the bytes of all messages that read
 *
 * Numbers are in the machine's own order. Nobody there is no acknowledge (-ENXIO); no answer within the adapter's
 * own time limit (I2C_TIMEOUT, one second at first) is -ETIMEDOUT, and an answer that comes after it is refused
 * with -ESTALE, as is one to another transfer.
 */
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define COUNT_MAX 8

static int nr = 1;
module_param(nr, int, 0444);
MODULE_PARM_DESC(nr, "number of the first bus");

static int count = 1;
module_param(count, int, 0444);
MODULE_PARM_DESC(count, "how many buses, 1 to 8");

enum progress {
	NOTHING,	/* no transfer */
	OFFERED,	/* to be read by the process */
	TAKEN,		/* read, not answered */
	ANSWERED,	/* to be passed on to the caller */
};

struct offer {
	u32 id;
	s32 count;
};

struct part {
	u16 address;
	u16 flags;
	u16 length;
};

struct bus {
	struct i2c_adapter adapter;
	struct miscdevice door;
	char name[20];
	struct mutex lock;
	wait_queue_head_t changed;
	bool attended;
	/* The one transfer: the core lets callers in one by one. */
	enum progress progress;
	struct i2c_msg *messages;
	int message_count;
	int result;
	u32 id;
};

static struct bus *buses[COUNT_MAX];

static int bus_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int message_count)
{
	struct bus *bus = container_of(adapter, struct bus, adapter);
	int result;

	mutex_lock(&bus->lock);
	if (!bus->attended) {
		mutex_unlock(&bus->lock);
		return -ENXIO;
	}
	bus->messages = messages;
	bus->message_count = message_count;
	bus->id++;
	bus->progress = OFFERED;
	mutex_unlock(&bus->lock);
	wake_up_all(&bus->changed);

	wait_event_timeout(bus->changed,
			   READ_ONCE(bus->progress) == ANSWERED || !READ_ONCE(bus->attended),
			   adapter->timeout);

	mutex_lock(&bus->lock);
	if (bus->progress == ANSWERED)
		result = bus->result;
	else
		result = bus->attended ? -ETIMEDOUT : -ENXIO;
	bus->progress = NOTHING;
	bus->messages = NULL;
	mutex_unlock(&bus->lock);
	return result;
}

static u32 bus_functionality(struct i2c_adapter *adapter)
{
	/* A transfer without a byte is nothing that the process could be asked. */
	return I2C_FUNC_I2C | (I2C_FUNC_SMBUS_EMUL & ~I2C_FUNC_SMBUS_QUICK);
}

static const struct i2c_algorithm bus_algorithm = {
	.master_xfer = bus_transfer,
	.functionality = bus_functionality,
};

static int door_open(struct inode *inode, struct file *file)
{
	struct bus *bus = container_of(file->private_data, struct bus, door);
	int error = 0;

	mutex_lock(&bus->lock);
	if (bus->attended)
		error = -EBUSY;
	else
		bus->attended = true;
	mutex_unlock(&bus->lock);
	file->private_data = bus;
	return error;
}

static int door_release(struct inode *inode, struct file *file)
{
	struct bus *bus = file->private_data;

	mutex_lock(&bus->lock);
	bus->attended = false;
	mutex_unlock(&bus->lock);
	wake_up_all(&bus->changed);
	return 0;
}

/* Copies the transfer out; the lock is held. */
static ssize_t offer_to(struct bus *bus, char __user *to, size_t room)
{
	struct offer offer = { bus->id, bus->message_count };
	size_t length = sizeof(offer) + bus->message_count * sizeof(struct part);
	size_t position;
	int i;

	for (i = 0; i < bus->message_count; i++)
		if (!(bus->messages[i].flags & I2C_M_RD))
			length += bus->messages[i].len;
	if (length > room)
		return -EMSGSIZE;
	if (copy_to_user(to, &offer, sizeof(offer)))
		return -EFAULT;
	position = sizeof(offer);
	for (i = 0; i < bus->message_count; i++) {
		struct i2c_msg *message = &bus->messages[i];
		struct part part = { message->addr, message->flags, message->len };

		if (copy_to_user(to + position, &part, sizeof(part)))
			return -EFAULT;
		position += sizeof(part);
	}
	for (i = 0; i < bus->message_count; i++) {
		struct i2c_msg *message = &bus->messages[i];

		if (message->flags & I2C_M_RD)
			continue;
		if (copy_to_user(to + position, message->buf, message->len))
			return -EFAULT;
		position += message->len;
	}
	return position;
}

static ssize_t door_read(struct file *file, char __user *to, size_t room, loff_t *position)
{
	struct bus *bus = file->private_data;
	ssize_t result;

	for (;;) {
		mutex_lock(&bus->lock);
		if (bus->progress == OFFERED) {
			result = offer_to(bus, to, room);
			if (result > 0)
				bus->progress = TAKEN;
			mutex_unlock(&bus->lock);
			return result;
		}
		mutex_unlock(&bus->lock);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(bus->changed, READ_ONCE(bus->progress) == OFFERED))
			return -ERESTARTSYS;
	}
}

/* Copies what was read back into the caller's messages; the lock is held. */
static int accept_from(struct bus *bus, const char __user *from, size_t length)
{
	size_t position = 0;
	int i;

	for (i = 0; i < bus->message_count; i++) {
		struct i2c_msg *message = &bus->messages[i];

		if (!(message->flags & I2C_M_RD))
			continue;
		if (position + message->len > length)
			return -EINVAL;
		if (copy_from_user(message->buf, from + position, message->len))
			return -EFAULT;
		position += message->len;
	}
	return 0;
}

static ssize_t door_write(struct file *file, const char __user *from, size_t length, loff_t *position)
{
	struct bus *bus = file->private_data;
	struct offer answer;
	ssize_t result = length;

	if (length < sizeof(answer) || copy_from_user(&answer, from, sizeof(answer)))
		return -EINVAL;
	mutex_lock(&bus->lock);
	if (bus->progress != TAKEN || answer.id != bus->id) {
		result = -ESTALE;
	} else {
		int error = 0;

		if (answer.count >= 0)
			error = accept_from(bus, from + sizeof(answer), length - sizeof(answer));
		if (error) {
			result = error;
		} else {
			bus->result = answer.count;
			bus->progress = ANSWERED;
		}
	}
	mutex_unlock(&bus->lock);
	if (result > 0)
		wake_up_all(&bus->changed);
	return result;
}

static __poll_t door_poll(struct file *file, poll_table *table)
{
	struct bus *bus = file->private_data;

	poll_wait(file, &bus->changed, table);
	return EPOLLOUT | (READ_ONCE(bus->progress) == OFFERED ? EPOLLIN : 0);
}

static const struct file_operations door_operations = {
	.owner = THIS_MODULE,
	.open = door_open,
	.release = door_release,
	.read = door_read,
	.write = door_write,
	.poll = door_poll,
};

static void remove_bus(int index)
{
	struct bus *bus = buses[index];

	if (!bus)
		return;
	misc_deregister(&bus->door);
	i2c_del_adapter(&bus->adapter);
	kfree(bus);
	buses[index] = NULL;
}

static int add_bus(int index)
{
	struct bus *bus = kzalloc(sizeof(*bus), GFP_KERNEL);
	int error;

	if (!bus)
		return -ENOMEM;
	mutex_init(&bus->lock);
	init_waitqueue_head(&bus->changed);
	bus->adapter.owner = THIS_MODULE;
	bus->adapter.algo = &bus_algorithm;
	bus->adapter.timeout = HZ;
	bus->adapter.nr = nr + index;
	snprintf(bus->adapter.name, sizeof(bus->adapter.name), "bench adapter %d", nr + index);
	snprintf(bus->name, sizeof(bus->name), "i2c-uadap%d", nr + index);
	bus->door.minor = MISC_DYNAMIC_MINOR;
	bus->door.name = bus->name;
	bus->door.fops = &door_operations;
	error = i2c_add_numbered_adapter(&bus->adapter);
	if (error)
		goto free;
	error = misc_register(&bus->door);
	if (error)
		goto remove;
	buses[index] = bus;
	return 0;
remove:
	i2c_del_adapter(&bus->adapter);
free:
	kfree(bus);
	return error;
}

static void __exit uadap_exit(void)
{
	int index;

	for (index = 0; index < COUNT_MAX; index++)
		remove_bus(index);
}

static int __init uadap_init(void)
{
	int index;

	if (count < 1 || count > COUNT_MAX)
		return -EINVAL;
	for (index = 0; index < count; index++) {
		int error = add_bus(index);

		if (error) {
			while (index--)
				remove_bus(index);
			return error;
		}
	}
	return 0;
}

module_init(uadap_init);
module_exit(uadap_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("I2C adapter whose transfers a process answers");
