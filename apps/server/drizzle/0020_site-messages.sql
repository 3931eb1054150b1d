CREATE TABLE "site_contents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"params" jsonb NOT NULL,
	"sender" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"content_id" uuid NOT NULL,
	"has_read" boolean DEFAULT false NOT NULL,
	"read_at" timestamp with time zone,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_messages_once" UNIQUE("user_id","content_id")
);
--> statement-breakpoint
CREATE TABLE "system_msg_subscription_groups" (
	"subscription_id" uuid NOT NULL,
	"usergroup_id" uuid NOT NULL,
	CONSTRAINT "system_msg_subscription_groups_subscription_id_usergroup_id_pk" PRIMARY KEY("subscription_id","usergroup_id")
);
--> statement-breakpoint
CREATE TABLE "system_msg_subscription_users" (
	"subscription_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "system_msg_subscription_users_subscription_id_user_id_pk" PRIMARY KEY("subscription_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "system_msg_subscriptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_type" text NOT NULL,
	"receive_backends" jsonb NOT NULL,
	CONSTRAINT "system_msg_subscriptions_message_type_unique" UNIQUE("message_type")
);
--> statement-breakpoint
CREATE TABLE "user_msg_subscriptions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"receive_backends" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_messages" ADD CONSTRAINT "site_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_messages" ADD CONSTRAINT "site_messages_content_id_site_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."site_contents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_msg_subscription_groups" ADD CONSTRAINT "system_msg_subscription_groups_subscription_id_system_msg_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."system_msg_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_msg_subscription_groups" ADD CONSTRAINT "system_msg_subscription_groups_usergroup_id_user_groups_id_fk" FOREIGN KEY ("usergroup_id") REFERENCES "public"."user_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_msg_subscription_users" ADD CONSTRAINT "system_msg_subscription_users_subscription_id_system_msg_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."system_msg_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_msg_subscription_users" ADD CONSTRAINT "system_msg_subscription_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_msg_subscriptions" ADD CONSTRAINT "user_msg_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_contents_type_idx" ON "site_contents" USING btree ("type","date_created");--> statement-breakpoint
CREATE INDEX "site_messages_date_idx" ON "site_messages" USING btree ("user_id","date_created");--> statement-breakpoint
CREATE INDEX "site_messages_unread_idx" ON "site_messages" USING btree ("user_id") WHERE not "site_messages"."has_read";--> statement-breakpoint
CREATE INDEX "site_messages_content_idx" ON "site_messages" USING btree ("content_id");--> statement-breakpoint
CREATE INDEX "system_msg_subscription_groups_usergroup_id_index" ON "system_msg_subscription_groups" USING btree ("usergroup_id");--> statement-breakpoint
CREATE INDEX "system_msg_subscription_users_user_id_index" ON "system_msg_subscription_users" USING btree ("user_id");